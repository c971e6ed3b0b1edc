//! A growing array on huge pages.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use crate::{Backing, Error, Granted, Region};

/// Like a `Vec` of plain items, in a [`Region`].
///
/// A new region is mapped when the old one is full, twice as large, so an array that grew asks the
/// kernel again each time: size it from the start where the length is known.
///
/// ```
/// use huge::{Backing, Buffer};
///
/// let mut squares = Buffer::with_capacity(1000, Backing::Advised)?;
/// for number in 0..1000u64 {
///     squares.push(number * number)?;
/// }
/// assert_eq!(squares[31], 961);
/// # Ok::<(), huge::Error>(())
/// ```
#[derive(Debug)]
pub struct Buffer<Item> {
    region: Region,
    length: usize,
    items: PhantomData<Item>,
}

impl<Item: Copy> Buffer<Item> {
    /// An empty array with room for `capacity` items. The pages come with the first touch.
    ///
    /// # Errors
    ///
    /// As [`Region::map`].
    pub fn with_capacity(capacity: usize, backing: Backing) -> Result<Self, Error> {
        // An item is aligned to at most its size, and a region to more than any item needs.
        const { assert!(align_of::<Item>() <= crate::SMALL_PAGE_BYTES) };
        let bytes = capacity.max(1).checked_mul(size_of::<Item>().max(1));
        let region = Region::map(bytes.unwrap_or(usize::MAX), backing)?;
        Ok(Self {
            region,
            length: 0,
            items: PhantomData,
        })
    }

    /// `length` times the same item.
    ///
    /// # Errors
    ///
    /// As [`Region::map`].
    pub fn filled(item: Item, length: usize, backing: Backing) -> Result<Self, Error> {
        let mut buffer = Self::with_capacity(length, backing)?;
        for _ in 0..length {
            buffer.push(item)?;
        }
        Ok(buffer)
    }

    /// Adds an item at the end. When the array has to grow and the pool is exhausted, it goes on by
    /// advice.
    ///
    /// # Errors
    ///
    /// As [`Region::map`], when there is no room and none can be had; the array is as it was.
    pub fn push(&mut self, item: Item) -> Result<(), Error> {
        if self.length == self.capacity() {
            self.grow()?;
        }
        self.write(self.length, item);
        self.length += 1;
        Ok(())
    }

    /// How many items fit before the array has to grow.
    pub fn capacity(&self) -> usize {
        self.region.size_bytes() / size_of::<Item>().max(1)
    }

    /// What pages the kernel gave.
    ///
    /// # Errors
    ///
    /// As [`Region::granted`].
    pub fn granted(&self) -> Result<Granted, Error> {
        self.region.granted()
    }

    /// The memory that the items are in.
    pub const fn region(&self) -> &Region {
        &self.region
    }

    /// Has the kernel put what is there onto huge pages.
    ///
    /// # Errors
    ///
    /// As [`Region::collapse`].
    pub fn collapse(&self) -> Result<(), Error> {
        self.region.collapse()
    }

    fn grow(&mut self) -> Result<(), Error> {
        let wanted = self.capacity().saturating_mul(2);
        let mut larger = match Self::with_capacity(wanted, self.region.backing()) {
            Err(Error::Pool { .. }) => Self::with_capacity(wanted, Backing::Advised)?,
            other => other?,
        };
        for &item in self.iter() {
            larger.write(larger.length, item);
            larger.length += 1;
        }
        *self = larger;
        Ok(())
    }

    /// Puts an item at `index`, which is below the capacity.
    #[expect(unsafe_code, reason = "items are made in mapped memory")]
    fn write(&mut self, index: usize, item: Item) {
        debug_assert!(index < self.capacity(), "no room for item {index}");
        let slot = self.region.as_ptr().cast::<Item>().wrapping_add(index);
        // SAFETY: callers stay below the capacity, so the slot is within the region, which is
        // writable and aligned to more than any item.
        unsafe { slot.write(item) };
    }
}

impl<Item: Copy> Deref for Buffer<Item> {
    type Target = [Item];

    #[expect(unsafe_code, reason = "a slice is made of mapped memory")]
    fn deref(&self) -> &[Item] {
        let start = self.region.as_ptr().cast::<Item>();
        // SAFETY: the first `length` items were written, in memory that lives as long as self.
        unsafe { std::slice::from_raw_parts(start, self.length) }
    }
}

impl<Item: Copy> DerefMut for Buffer<Item> {
    #[expect(unsafe_code, reason = "a slice is made of mapped memory")]
    fn deref_mut(&mut self) -> &mut [Item] {
        let start = self.region.as_ptr().cast::<Item>();
        // SAFETY: as in `deref`; `&mut self` makes this the only reference.
        unsafe { std::slice::from_raw_parts_mut(start, self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;
    use crate::{Backing, Error, HUGE_PAGE_BYTES};

    #[test]
    fn an_array_that_grows_keeps_its_items() {
        let mut numbers = Buffer::with_capacity(1, Backing::Small).unwrap();
        let count = 3 * HUGE_PAGE_BYTES / size_of::<u64>() + 7;
        for number in 0..count as u64 {
            numbers.push(number).unwrap();
        }
        assert_eq!(numbers.len(), count);
        assert!(numbers.iter().copied().eq(0..count as u64));
    }

    #[test]
    fn items_of_no_size_need_no_room() {
        let units = Buffer::filled((), 10, Backing::Small).unwrap();
        assert_eq!(units.len(), 10);
    }

    #[test]
    fn more_than_the_address_space_is_refused() {
        let refused = Buffer::<u64>::with_capacity(usize::MAX / 2, Backing::Advised);
        assert!(matches!(refused, Err(Error::Size { .. })), "{refused:?}");
    }

    #[test]
    fn items_can_be_changed_in_place() {
        let mut numbers = Buffer::filled(7u32, 100, Backing::Advised).unwrap();
        numbers[99] = 8;
        assert_eq!(numbers.iter().sum::<u32>(), 99 * 7 + 8);
    }
}
