//! [`PriceHistory`]: daily snapshots of prices as they are answered.

use crate::market::money::write_whole;
use crate::market::{Day, Money, Point};
use crate::routes::charging::Written;
use crate::thinning::thin;
use serde::Serialize;
use utoipa::ToSchema;

/// Daily snapshots of prices, the oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceHistory {
    /// `USD`.
    currency: &'static str,
    /// Whose prices they are, where the request names a source: as it is named there.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The first day that was looked at.
    from: Day,
    /// The last one.
    to: Day,
    /// Snapshots that there are; there are fewer points where they are more than `maxDataPoints`.
    #[schema(minimum = 0)]
    snapshots: usize,
    points: Points,
}

impl PriceHistory {
    /// The history of `points` from one day to another, thinned to at most `most` points.
    pub(crate) fn of(points: &[Point], from: i64, to: i64, most: usize) -> Self {
        let shape: Vec<(i64, i64)> = points
            .iter()
            .map(|point| (point.day, point.market.or(point.low).unwrap_or_default().0))
            .collect();
        let kept = thin(&shape, most);
        Self {
            currency: "USD",
            source: None,
            from: Day(from),
            to: Day(to),
            snapshots: points.len(),
            points: Points::of(kept.iter().map(|&at| points[at])),
        }
    }

    /// The history of this source alone, if one is named.
    pub(crate) fn of_source(self, source: Option<&str>) -> Self {
        Self {
            source: source.map(str::to_owned),
            ..self
        }
    }
}

/// The snapshot of a day.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    /// The UTC day.
    date: Day,
    /// The market price.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
    /// How many sold.
    #[schema(required)]
    sellers: Option<i64>,
}

impl From<Point> for Snapshot {
    fn from(point: Point) -> Self {
        Self {
            date: Day(point.day),
            market: point.market,
            low: point.low,
            sellers: point.sellers,
        }
    }
}

impl Snapshot {
    /// Writes the snapshot by hand: a million of them take a fraction of a second.
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"date\":\"");
        write_date(self.date, out);
        out.push(b'"');
        for (name, amount) in [
            (&b",\"market\":"[..], self.market),
            (b",\"low\":", self.low),
        ] {
            out.extend_from_slice(name);
            match amount {
                Some(amount) => amount.write(out),
                None => out.extend_from_slice(b"null"),
            }
        }
        out.extend_from_slice(b",\"sellers\":");
        match self.sellers {
            Some(sellers) => write_whole(sellers.unsigned_abs(), out),
            None => out.extend_from_slice(b"null"),
        }
        out.push(b'}');
    }
}

/// Snapshots as JSON text.
#[derive(Serialize, ToSchema)]
#[schema(value_type = Vec<Snapshot>)]
struct Points(Written);

impl Points {
    fn of(points: impl Iterator<Item = Point>) -> Self {
        let mut out = Vec::with_capacity(points.size_hint().0 * 64 + 2);
        out.push(b'[');
        for (at, point) in points.enumerate() {
            if at > 0 {
                out.push(b',');
            }
            Snapshot::from(point).write(&mut out);
        }
        out.push(b']');
        Self(Written(out))
    }
}

/// A day as `2026-11-20`.
fn write_date(day: Day, out: &mut Vec<u8>) {
    let (year, month, of_month) = day.civil();
    let digit = |number: i64| b'0' + (number % 10) as u8;
    let [hundreds, years] = [year / 100, year % 100].map(|two| [digit(two / 10), digit(two)]);
    let [month, of_month] = [month, of_month].map(|two| [digit(two / 10), digit(two)]);
    out.extend_from_slice(&[
        hundreds[0],
        hundreds[1],
        years[0],
        years[1],
        b'-',
        month[0],
        month[1],
        b'-',
        of_month[0],
        of_month[1],
    ]);
}

#[cfg(test)]
mod tests {
    use super::PriceHistory;
    use crate::market::{Money, Point};
    use crate::routes::charging::written;

    #[test]
    fn amounts_of_points_are_json_numbers() {
        let point = |day, market| Point {
            day,
            market,
            low: Some(Money(500)),
            sellers: Some(3),
        };
        let history = PriceHistory::of(
            &[point(19_782, Some(Money(125_000))), point(19_783, None)],
            19_780,
            19_790,
            365,
        );
        assert_eq!(
            String::from_utf8(written(&history, 256).expect("it is JSON")).expect("it is text"),
            concat!(
                r#"{"currency":"USD","from":"2024-02-27","to":"2024-03-08","snapshots":2,"points":["#,
                r#"{"date":"2024-02-29","market":12.5,"low":0.05,"sellers":3},{"date":"2024-03-01","market":null,"low":0.05,"sellers":3}]}"#
            )
        );
    }
}
