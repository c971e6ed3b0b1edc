//! The run: what is measured, by which engine, and what happens at each event.

use crate::{
    hot::HOT,
    intervals::{BlockCode, Intervals, Row},
    options::{Analysis, Options},
    records::Records,
    region::Region,
    remaps::{self, Change},
    report,
    shared::Shared,
    sites::Sites,
    trace::Trace,
    translations::Translations,
    valgrind::output::Output,
};
use alloc::vec::Vec;
use models::trace::AccessKind;

/// Everything that lasts from the first block to the end of the program.
pub(crate) struct Session {
    pub(crate) options: Options,
    pub(crate) region: Region,
    pub(crate) sites: Sites,
    pub(crate) blocks: Vec<BlockCode>,
    pub(crate) intervals: Option<Intervals>,
    pub(crate) records: Option<Records>,
    pub(crate) trace: Option<Trace>,
    pub(crate) translations: Option<Translations>,
    output: Option<Output>,
    threads: Threads,
}

/// Which thread runs, and how many instructions each has run.
struct Threads {
    /// Valgrind's number of the running thread, which it uses again after the thread's end.
    running: u32,
    /// Our number of each of Valgrind's threads, in order of creation.
    ordinals: Vec<usize>,
    instructions: Vec<u64>,
    counted_up_to: u64,
}

static SESSION: Shared<Session> = Shared::new(Session {
    options: Options::new(),
    region: Region::new(),
    sites: Sites::new(),
    blocks: Vec::new(),
    intervals: None,
    records: None,
    trace: None,
    translations: None,
    output: None,
    threads: Threads {
        running: 0,
        ordinals: Vec::new(),
        instructions: Vec::new(),
        counted_up_to: 0,
    },
});

/// Takes one option of the command line; false if it is not one of ours.
pub(crate) fn set_option(argument: &str) -> bool {
    SESSION.borrow().options.set(argument).is_some()
}

/// All options are known; the program has not started.
pub(crate) fn start() {
    let session = &mut *SESSION.borrow();
    if let Some(function) = session.options.function.clone() {
        session.region.limit_to(function);
    }
    session.begin_results();
}

/// Runs `work` on the session.
pub(crate) fn with<T>(work: impl FnOnce(&mut Session) -> T) -> T {
    work(&mut SESSION.borrow())
}

/// The program is over.
pub(crate) fn finish() {
    SESSION.borrow().finish();
}

/// The program may be about to replace itself by another, which ends this process image without
/// another word. If it does not, later totals take the place of these.
pub(crate) fn before_exec() {
    let session = &mut *SESSION.borrow();
    session.settle();
    session.threads.count();
    if let Some(intervals) = &session.intervals {
        intervals.emit_running(&mut emit_to(&mut session.output));
    }
    session.write_totals(false);
}

/// Valgrind lets `thread` run.
pub(crate) fn thread_runs(thread: u32) {
    let session = &mut *SESSION.borrow();
    if session.threads.running != thread {
        session.switch_to(thread);
    }
}

/// `thread` starts to exist, perhaps under the number of one that ended.
pub(crate) fn thread_begins(thread: u32) {
    SESSION.borrow().threads.begin(thread);
}

/// `thread` ends.
pub(crate) fn thread_ends(thread: u32) {
    SESSION.borrow().region.leave(thread);
}

/// This process is the child of a fork.
pub(crate) fn forked_child() {
    let session = &mut *SESSION.borrow();
    if let Some(output) = &mut session.output {
        output.abandon();
    }
    session.output = None;
    if session.options.children {
        HOT.instructions.set(0);
        session.threads.restart();
        session.begin_results();
    }
}

/// The kernel touches memory of the program.
pub(crate) fn kernel_access(address: u64, bytes: u64, kind: AccessKind) {
    let session = &mut *SESSION.borrow();
    if session.options.kernel && session.region.is_open() {
        session.settle();
        if let Some(intervals) = &mut session.intervals {
            intervals.range(address, bytes, kind);
        }
        if let Some(records) = &mut session.records {
            records.kernel(address, bytes);
        }
        if let Some(translations) = &mut session.translations {
            translations.kernel(address, bytes, kind);
        }
    }
}

/// The program is about to make a system call.
pub(crate) fn before_system_call(call: u32) {
    if remaps::concerns(call) {
        let session = &mut *SESSION.borrow();
        if session.translations.is_some() {
            session.drain();
        }
    }
}

/// The program has made a system call, which gave `value`.
pub(crate) fn after_system_call(call: u32, arguments: &[u64], value: u64) {
    if !remaps::concerns(call) {
        return;
    }
    let session = &mut *SESSION.borrow();
    let Some(translations) = &mut session.translations else {
        return;
    };
    for change in remaps::changes(call, arguments, value)
        .into_iter()
        .flatten()
    {
        match change {
            Change::Range { first, bytes } => translations.mapping_changed(first, bytes),
            Change::Break(end) => translations.heap_ends_at(end),
            Change::Fork => translations.forked(),
            Change::Everything => translations.mapping_changed(0, u64::MAX),
        }
    }
}

/// Writes rows to `output`, or nowhere in a child that is not followed.
fn emit_to(output: &mut Option<Output>) -> impl FnMut(Row) {
    move |row| {
        if let Some(output) = output {
            // Our writer ends the run instead of returning an error.
            let _ = report::row(output, &row);
        }
    }
}

impl Session {
    fn begin_results(&mut self) {
        let options = &self.options;
        let mut output = Output::create(&options.result_prefix);
        let _ = report::header(&mut output, options);
        // From here on there is a result to read, even if the process is killed.
        output.flush();
        self.output = Some(output);
        self.intervals = (options.analysis == Analysis::Footprint)
            .then(|| Intervals::new(options.unit_shift, options.interval, options.per_thread));
        self.records = (options.analysis == Analysis::Reuse).then(|| Records::new(options));
        self.trace = (options.analysis == Analysis::Trace).then(|| Trace::new(options));
        self.translations = (options.analysis == Analysis::Tlb).then(|| Translations::new(options));
    }

    fn settle(&mut self) {
        if let Some(intervals) = &mut self.intervals {
            intervals.settle(&self.blocks, &mut emit_to(&mut self.output));
        }
        self.drain();
    }

    /// Feeds the records so far to the model of reuse distances, or of translations.
    pub(crate) fn drain(&mut self) {
        if let Some(records) = &mut self.records {
            records.drain();
        }
        if let Some(trace) = &mut self.trace {
            trace.drain();
            if let Some(output) = &mut self.output
                && trace.fills_a_line()
            {
                let _ = report::steps(output, trace);
            }
        }
        if let Some(translations) = &mut self.translations {
            translations.drain();
        }
    }

    /// A block begins after the end of an interval of translations.
    pub(crate) fn end_working_set(&mut self) {
        self.drain();
        if let (Some(translations), Some(output)) = (&mut self.translations, &mut self.output) {
            let (start, set) = translations.end_interval();
            let _ = report::working_set(output, start, &set);
        }
    }

    /// A fetch that missed the filter.
    pub(crate) fn fetch(&mut self, unit: u64) {
        if let Some(intervals) = &mut self.intervals {
            intervals.fetch(unit);
        }
    }

    fn switch_to(&mut self, thread: u32) {
        self.settle();
        self.threads.switch_to(thread);
        self.region.thread_runs(thread);
        if let Some(trace) = &mut self.trace {
            trace.thread_runs(thread);
        }
        let ordinal = self.threads.ordinal(thread);
        if let Some(intervals) = &mut self.intervals {
            intervals.thread_runs(u32::try_from(ordinal).unwrap_or(u32::MAX));
        }
    }

    fn finish(&mut self) {
        self.settle();
        if self
            .translations
            .as_ref()
            .is_some_and(Translations::has_intervals)
        {
            self.end_working_set();
        }
        self.threads.count();
        if let Some(intervals) = &mut self.intervals {
            intervals.finish(&mut emit_to(&mut self.output));
        }
        self.write_totals(true);
    }

    /// Writes totals; `last` says that the program is over, and not about to replace itself.
    fn write_totals(&mut self, last: bool) {
        let Some(output) = &mut self.output else {
            return;
        };
        if let Some(records) = &self.records {
            if last {
                let _ = report::list(output, records, &self.sites);
            }
            let _ = report::reuse(output, records, &self.options, &self.sites);
        }
        if let Some(trace) = &mut self.trace {
            let _ = report::steps(output, trace);
            let _ = report::code(output, trace, self.options.names);
        }
        if let Some(translations) = &self.translations {
            let _ = report::tlb(output, translations, &self.sites, self.options.sites);
        }
        let end = report::End {
            exec: !last,
            instructions: HOT.instructions.get(),
            threads: &self.threads.instructions,
            entries: self.region.is_limited().then_some(self.region.entries),
            total: self.intervals.as_ref().map(Intervals::total),
        };
        let _ = report::end(output, &end);
        output.flush();
    }

    /// A block begins in which an interval may end.
    pub(crate) fn block_begins(&mut self, block: usize) {
        if let Some(intervals) = &mut self.intervals {
            intervals.block_begins(block, &self.blocks, &mut emit_to(&mut self.output));
        }
    }

    /// A data access that missed the filter.
    #[inline]
    pub(crate) fn data(&mut self, range: (u64, u64), kind: AccessKind, position: u64) {
        if let Some(intervals) = &mut self.intervals {
            let emit = &mut emit_to(&mut self.output);
            intervals.data(range, kind, position, &self.blocks, emit);
        }
    }

    /// The running thread is about to run the region's function, at this position of its block.
    pub(crate) fn enter_region(&mut self, stack_pointer: u64, position: u64) {
        let was_open = self.region.is_open();
        let entries = self.region.entries;
        self.region.enter(self.threads.running, stack_pointer);
        if let Some(trace) = &mut self.trace
            && self.region.entries > entries
        {
            trace.entered(self.threads.running);
        }
        if !was_open && let Some(intervals) = &mut self.intervals {
            intervals.region_begins(position);
        }
    }

    /// The running thread has left the region's function.
    pub(crate) fn leave_region(&mut self) {
        self.settle();
        self.region.leave(self.threads.running);
    }
}

impl Threads {
    /// Credits the running thread with the instructions since the last call.
    fn count(&mut self) {
        let now = HOT.instructions.get();
        let ordinal = self.ordinal(self.running);
        if let Some(instructions) = self.instructions.get_mut(ordinal) {
            *instructions += now - self.counted_up_to;
        }
        self.counted_up_to = now;
    }

    fn switch_to(&mut self, thread: u32) {
        if self.running != 0 {
            self.count();
        }
        self.running = thread;
        self.ordinal(thread);
    }

    fn begin(&mut self, thread: u32) {
        let index = thread as usize;
        if index >= self.ordinals.len() {
            self.ordinals.resize(index + 1, usize::MAX);
        }
        if let Some(ordinal) = self.ordinals.get_mut(index) {
            *ordinal = self.instructions.len();
            self.instructions.push(0);
        }
    }

    fn ordinal(&mut self, thread: u32) -> usize {
        let known = self.ordinals.get(thread as usize).copied();
        match known {
            Some(ordinal) if ordinal != usize::MAX => ordinal,
            _ => {
                self.begin(thread);
                self.instructions.len() - 1
            }
        }
    }

    /// In the child of a fork: the running thread is the only one, and has run nothing.
    fn restart(&mut self) {
        let running = self.running;
        self.ordinals.clear();
        self.instructions.clear();
        self.counted_up_to = 0;
        self.begin(running);
    }
}
