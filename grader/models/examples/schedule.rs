//! Prints one row per scheduler.
use models::scheduler::{machine_named, policy_named, programs, simulate, Bounds, Options, PolicySettings, Scale};
fn main() {
    let mut args = std::env::args().skip(1);
    let divisor: u64 = args.next().unwrap().parse().unwrap();
    let bandwidth: u64 = args.next().unwrap().parse().unwrap();
    let names: Vec<String> = args.collect();
    let scale = Scale::new(divisor).unwrap();
    let mut machine = machine_named("xeon-7560").unwrap().scaled(divisor).unwrap().with_bandwidth_percent(bandwidth).unwrap();
    let var = |n: &str| std::env::var(n).ok();
    if let Some(r) = var("REPL") { machine.replacement = match r.as_str() { "nru" => models::scheduler::Replacement::NotRecentlyUsed, "rand" => models::scheduler::Replacement::Random, _ => models::scheduler::Replacement::Lru } }
    if let Some(r) = var("HASH") { machine.hashed_sets = r == "1"; }
    if let Some(r) = var("COH") { machine.coherent = r == "1"; }
    if let Some(r) = var("SERV") { machine.service_cycles = r.parse().unwrap(); }
    if let Some(r) = var("MISS") { machine.miss_cycles = r.parse().unwrap(); }
    machine.check().unwrap();
    let seed: u64 = var("SEED").map_or(1, |s| s.parse().unwrap());
    for name in names {
        let settings = PolicySettings { seed, bounds: Bounds::default() };
        let policy = policy_named(&name).unwrap()(&machine, &settings);
        let options = Options { burst_lines: (32 / divisor).max(4), record: false, seed };
        let began = std::time::Instant::now();
        struct Dear(Box<dyn models::scheduler::Scheduler>, Option<models::scheduler::Costs>);
        impl models::scheduler::Scheduler for Dear {
            fn add(&mut self, j: &models::scheduler::Job, w: models::scheduler::WorkerId) { self.0.add(j, w) }
            fn get(&mut self, w: models::scheduler::WorkerId) -> models::scheduler::Next { self.0.get(w) }
            fn done(&mut self, j: &models::scheduler::Job, w: models::scheduler::WorkerId, e: bool) { self.0.done(j, w, e) }
            fn costs(&self, q: u64) -> models::scheduler::Costs { self.1.unwrap_or(self.0.costs(q)) }
        }
        let costs = var("COSTS").map(|c| { let v: Vec<u64> = c.split(',').map(|x| x.parse().unwrap()).collect();
            models::scheduler::Costs { add: v[0], get: v[1], done: v[2], steal: v[3], failed_get: v[4] } });
        let mut policy: Box<dyn models::scheduler::Scheduler> = Box::new(Dear(policy, costs));
        let o = programs::program_named(&var("PROG").unwrap_or("rrm".into())).unwrap()(scale, &machine, policy.as_mut(), options).unwrap();
        let ms = |c: u64| c as f64 * divisor as f64 / 2.27e6;
        println!("{name:5} misses {:7.2}M hits {:.2}M active {:.0} callbacks {:.1} empty {:.0} makespan {:.0} strands {} events {} steals {} inval {} understated {} took {:?}",
            o.outer_misses() as f64 * divisor as f64 / 1e6, o.levels[0].hits as f64*divisor as f64/1e6, ms(o.mean(|w| w.active)), ms(o.mean(|w| w.callbacks())), ms(o.mean(|w| w.empty_queue)), ms(o.makespan_cycles), o.strands, o.events, o.steals(), o.invalidations, o.understated_tasks, began.elapsed());
        if var("PARTS").is_some() { println!("   {:?}", o.part_misses.iter().map(|m| (m * divisor / 10000) as f64 / 100.).collect::<Vec<_>>()); }
    }
}
