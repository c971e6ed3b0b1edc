//! Prints one row per scheduler.
use models::scheduler::{machine_named, policy_named, programs, simulate, Bounds, Options, PolicySettings, Scale};
fn main() {
    let mut args = std::env::args().skip(1);
    let divisor: u64 = args.next().unwrap().parse().unwrap();
    let bandwidth: u64 = args.next().unwrap().parse().unwrap();
    let names: Vec<String> = args.collect();
    let scale = Scale::new(divisor).unwrap();
    let machine = machine_named("xeon-7560").unwrap().scaled(divisor).unwrap().with_bandwidth_percent(bandwidth).unwrap();
    machine.check().unwrap();
    for name in names {
        let settings = PolicySettings { seed: 1, bounds: Bounds::default() };
        let mut policy = policy_named(&name).unwrap()(&machine, &settings);
        let options = Options { burst_lines: (32 / divisor).max(4), cost_divisor: divisor, record: false, seed: 1 };
        let began = std::time::Instant::now();
        let o = simulate(&machine, &programs::Rrm::new(scale), policy.as_mut(), options).unwrap();
        let ms = |c: u64| c as f64 * divisor as f64 / 2.27e6;
        println!("{name:5} misses {:7.2}M hits {:.2}M active {:.0} callbacks {:.1} empty {:.0} makespan {:.0} strands {} events {} steals {} inval {} understated {} took {:?}",
            o.outer_misses() as f64 * divisor as f64 / 1e6, o.levels[0].hits as f64*divisor as f64/1e6, ms(o.mean(|w| w.active)), ms(o.mean(|w| w.callbacks())), ms(o.mean(|w| w.empty_queue)), ms(o.makespan_cycles), o.strands, o.events, o.steals(), o.invalidations, o.understated_tasks, began.elapsed());
    }
}
