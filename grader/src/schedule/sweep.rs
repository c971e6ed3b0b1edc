//! The paper's four sweeps: one quantity changes, the rest stays, our points beside the published.

use models::scheduler::{Bounds, Machine, xeon_7560};
use serde::Serialize;

use super::chart::{Chart, Series};
use super::{Request, RequestError, Run, paper, run};

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Threads per socket: RRM's misses.
    Cores,
    /// Percent of the bandwidth: RRM's active time.
    Bandwidth,
    /// σ: misses under SB.
    Sigma,
    /// μ: overhead under SB.
    Mu,
}

/// A point of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The value that was set, as the table prints it.
    pub at: String,
    /// Which scheduler.
    pub scheduler: String,
    /// Ours.
    pub ours: f64,
    /// The paper's, if it has this point.
    pub published: Option<f64>,
    /// Where it lies on the axis.
    #[serde(skip)]
    pub place: f64,
}

/// A sweep that ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Swept {
    /// What the drawing is called.
    pub title: String,
    /// The axis.
    pub x_label: String,
    /// The quantity, with its unit.
    pub y_label: String,
    /// A remark that belongs under the drawing; empty if none.
    pub remark: String,
    /// All points, by scheduler, then along the axis.
    pub points: Vec<Point>,
}

/// Runs a sweep on the paper's machine. Program, schedulers, bandwidth and bounds of `base` are
/// replaced by those of the paper's figure; scale and seed stay.
///
/// # Errors
/// As [`run`].
pub fn sweep(kind: Sweep, base: &Request) -> Result<Swept, RequestError> {
    match kind {
        Sweep::Cores => cores(base),
        Sweep::Bandwidth => bandwidth(base),
        Sweep::Sigma => sigma(base),
        Sweep::Mu => mu(base),
    }
}

fn one(base: &Request, scheduler: &str) -> Result<Run, RequestError> {
    let request = Request {
        schedulers: vec![scheduler.to_string()],
        ..base.clone()
    };
    let mut report = run(&request)?;
    Ok(report.runs.remove(0))
}

fn with_socket_threads(threads: usize) -> Machine {
    let mut machine = xeon_7560();
    machine.levels[1].fan_out = threads;
    machine
}

fn cores(base: &Request) -> Result<Swept, RequestError> {
    let mut points = Vec::new();
    for (column, scheduler) in ["ws", "sb"].into_iter().enumerate() {
        for (place, (threads, published)) in
            paper::RRM_MISSES_BY_SOCKET_THREADS.into_iter().enumerate()
        {
            let request = Request {
                program: "rrm".to_string(),
                machine: with_socket_threads(threads),
                bandwidth_percent: 100,
                ..base.clone()
            };
            let at = if threads == 16 {
                "8 × 2".to_string()
            } else {
                threads.to_string()
            };
            points.push(Point {
                at,
                scheduler: scheduler.to_string(),
                ours: one(&request, scheduler)?.misses_millions(),
                published: Some(published[column]),
                place: place as f64,
            });
        }
    }
    Ok(Swept {
        title: "RRM: L3 misses by threads per socket".to_string(),
        x_label: "cores per socket (× hyperthreads)".to_string(),
        y_label: "L3 misses, millions".to_string(),
        remark: "The paper's points are read off a chart, ±1 M.".to_string(),
        points,
    })
}

fn bandwidth(base: &Request) -> Result<Swept, RequestError> {
    let mut points = Vec::new();
    for (column, scheduler) in ["ws", "pws", "sb"].into_iter().enumerate() {
        for (percent, published) in paper::RRM_ACTIVE_BY_BANDWIDTH {
            let request = Request {
                program: "rrm".to_string(),
                machine: xeon_7560(),
                bandwidth_percent: percent,
                ..base.clone()
            };
            let ours = one(&request, scheduler)?.active_full_ms(base.scale.divisor());
            points.push(Point {
                at: format!("{percent} %"),
                scheduler: scheduler.to_string(),
                ours,
                published: Some(published[column]),
                place: percent as f64,
            });
        }
    }
    Ok(Swept {
        title: "RRM: active time by memory bandwidth".to_string(),
        x_label: "percent of the bandwidth".to_string(),
        y_label: "active time, ms".to_string(),
        remark: String::new(),
        points,
    })
}

fn sigma(base: &Request) -> Result<Swept, RequestError> {
    let mut points = Vec::new();
    for permille in [500, 600, 700, 800, 900, 1000] {
        let request = Request {
            program: "rrm".to_string(),
            machine: xeon_7560(),
            bandwidth_percent: 100,
            bounds: Bounds {
                sigma_permille: permille,
                ..base.bounds
            },
            ..base.clone()
        };
        points.push(Point {
            at: format!("{:.1}", permille as f64 / 1000.0),
            scheduler: "sb".to_string(),
            ours: one(&request, "sb")?.misses_millions(),
            published: None,
            place: permille as f64,
        });
    }
    for (permille, misses) in paper::CHOLESKY_MISSES_BY_SIGMA {
        points.push(Point {
            at: format!("{:.1}", permille as f64 / 1000.0),
            scheduler: "sb, Cholesky".to_string(),
            ours: f64::NAN,
            published: Some(misses),
            place: permille as f64,
        });
    }
    Ok(Swept {
        title: "RRM under SB: L3 misses by σ".to_string(),
        x_label: "σ".to_string(),
        y_label: "L3 misses, millions".to_string(),
        remark:
            "The paper's points are Cholesky's, which is not among our programs: it has other\n\
                 sizes, so only that there is a step compares, and not where it is."
                .to_string(),
        points,
    })
}

fn mu(base: &Request) -> Result<Swept, RequestError> {
    let mut points = Vec::new();
    for (permille, published) in paper::QUICKSORT_OVERHEAD_BY_MU {
        let request = Request {
            program: "quicksort".to_string(),
            machine: xeon_7560(),
            bandwidth_percent: 100,
            bounds: Bounds {
                mu_permille: permille,
                ..base.bounds
            },
            ..base.clone()
        };
        let run = one(&request, "sb")?;
        points.push(Point {
            at: format!("{:.2}", permille as f64 / 1000.0),
            scheduler: "sb".to_string(),
            ours: (run.overhead_ms + run.empty_queue_ms) * base.scale.divisor() as f64,
            published: Some(published),
            place: permille as f64,
        });
    }
    Ok(Swept {
        title: "Quicksort under SB: overhead by μ".to_string(),
        x_label: "μ".to_string(),
        y_label: "overhead and empty queue, ms".to_string(),
        remark: String::new(),
        points,
    })
}

/// The sweep as a chart.
pub fn chart(swept: &Swept) -> Chart {
    let mut names: Vec<&str> = Vec::new();
    for point in &swept.points {
        if !names.contains(&point.scheduler.as_str()) {
            names.push(&point.scheduler);
        }
    }
    let mut series = Vec::new();
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let colour = match *name {
            "ws" => 0,
            "pws" => 1,
            "sb" => 2,
            _ => 3 + index,
        };
        let of = |value: fn(&Point) -> Option<f64>| -> Vec<(f64, f64)> {
            let own = swept.points.iter().filter(|p| p.scheduler == *name);
            own.filter_map(|p| Some((p.place, value(p)?))).collect()
        };
        let ours = of(|p| p.ours.is_finite().then_some(p.ours));
        if !ours.is_empty() {
            let name = name.to_string();
            series.push(Series {
                name,
                points: ours,
                published: false,
                colour,
            });
        }
        let published = of(|p| p.published);
        if !published.is_empty() {
            let name = format!("{name}, paper");
            series.push(Series {
                name,
                points: published,
                published: true,
                colour,
            });
        }
    }
    for point in &swept.points {
        if !ticks.iter().any(|(_, text)| *text == point.at) {
            ticks.push((point.place, point.at.clone()));
        }
    }
    Chart {
        title: swept.title.clone(),
        x_label: swept.x_label.clone(),
        y_label: swept.y_label.clone(),
        ticks,
        series,
    }
}

/// The sweep as a table, the same numbers as the chart.
pub fn table(swept: &Swept) -> String {
    let mut text = format!(
        "{}\n\n{:<14}{:>8}{:>12}{:>12}\n",
        swept.title, "scheduler", "at", "ours", "paper"
    );
    for point in &swept.points {
        let ours = if point.ours.is_finite() {
            format!("{:.1}", point.ours)
        } else {
            "-".into()
        };
        let published = point
            .published
            .map_or("-".to_string(), |value| format!("{value:.1}"));
        text.push_str(&format!(
            "{:<14}{:>8}{ours:>12}{published:>12}\n",
            point.scheduler, point.at
        ));
    }
    text.push_str(&format!("\n{}.\n", swept.y_label));
    if !swept.remark.is_empty() {
        text.push_str(&swept.remark);
        text.push('\n');
    }
    text
}
