//! Plots as SVG, without scripts: prices over days, and counts of grades as bars.

use crate::market::{Day, Money, money::UNIT};
use maud::{Markup, html};

const WIDTH: i64 = 720;
const HEIGHT: i64 = 220;
const LEFT: i64 = 64;
const HEAD: i64 = 12;
const FOOT: i64 = 28;
/// The height of a bar of grades, and the room for its name and number.
const BAR: i64 = 24;
const NAME: i64 = 84;
const NUMBER: i64 = 76;

/// The least of 1, 2 and 5 times a power of ten that is not below `least`.
fn round(least: i64) -> i64 {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * power >= least || power > i64::MAX / 100 {
                return factor * power;
            }
        }
        power *= 10;
    }
}

/// An amount of USD for people: whole dollars from a hundred on, else with cents.
pub(crate) fn dollars(amount: Money) -> String {
    let cents = crate::market::money::divide(i128::from(amount.0), 100);
    let whole = grouped(if amount.0 >= 100 * UNIT {
        (cents + 50) / 100
    } else {
        cents / 100
    });
    if amount.0 >= 100 * UNIT {
        format!("${whole}")
    } else {
        format!("${whole}.{:02}", cents % 100)
    }
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0
            && (digits.len() - at).is_multiple_of(3)
            && digit.is_ascii_digit()
            && !out.ends_with('-')
        {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A line of prices over ascending days, on a grid of round amounts. `None` for fewer than two
/// prices.
pub(crate) fn prices(points: &[(i64, Money)]) -> Option<Markup> {
    let ([first, .., last], Some(lowest), Some(highest)) = (
        points,
        points.iter().map(|(_, price)| price.0).min(),
        points.iter().map(|(_, price)| price.0).max(),
    ) else {
        return None;
    };
    // a steady price is a line in the middle, not on the floor
    let step = round(((highest - lowest) / 3).max(highest / 50).max(1));
    let (floor, top) = (
        lowest.div_euclid(step) * step,
        (highest + step - 1).div_euclid(step) * step,
    );
    let (floor, top) = if floor == top {
        ((floor - step).max(0), top + step)
    } else {
        (floor, top)
    };
    let days = (last.0 - first.0).max(1);
    let x = |day: i64| LEFT + (day - first.0) * (WIDTH - LEFT - 4) / days;
    let y = |price: i64| {
        HEIGHT - FOOT - (price - floor) * (HEIGHT - HEAD - FOOT) / (top - floor).max(1)
    };
    let said = format!(
        "Market price from {} on {} to {} on {}; lowest {}, highest {}",
        dollars(first.1),
        Day(first.0),
        dollars(last.1),
        Day(last.0),
        dollars(Money(lowest)),
        dollars(Money(highest))
    );
    let lines = std::iter::successors(Some(floor), |line| Some(line + step));
    let line: Vec<String> = points
        .iter()
        .map(|(day, price)| format!("{},{}", x(*day), y(price.0)))
        .collect();
    let base = HEIGHT - 6;
    Some(html! {
        svg class="plot" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(said) {
            @for line in lines.take_while(|line| *line <= top) {
                line x1=(LEFT) x2=(WIDTH) y1=(y(line)) y2=(y(line)) {}
                text x=(LEFT - 8) y=(y(line) + 4) text-anchor="end" { (dollars(Money(line))) }
            }
            polyline points=(line.join(" ")) {}
            circle cx=(x(last.0)) cy=(y(last.1.0)) r="4" {}
            // what a pointer finds: each price with its day
            @for (day, price) in points {
                circle class="point" cx=(x(*day)) cy=(y(price.0)) r="7" { title { (Day(*day)) ": " (dollars(*price)) } }
            }
            text x=(LEFT) y=(base) { (Day(first.0)) }
            text x=(WIDTH) y=(base) text-anchor="end" { (Day(last.0)) }
        }
        p class="soft" { (said) "." }
    })
}

/// Bars for counts, one below the other, each with its name.
pub(crate) fn bars(said: &str, rows: &[(String, i64)]) -> Markup {
    let most = rows
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0)
        .max(1);
    let height = i64::try_from(rows.len()).unwrap_or(0) * BAR;
    html! {
        svg class="plot bars" viewBox={ "0 0 " (WIDTH) " " (height) } role="img" {
            title { (said) }
            @for (at, (name, count)) in (0..).zip(rows) {
                @let width = (count * (WIDTH - NAME - NUMBER) / most).max(1);
                @let base = at * BAR + BAR - 7;
                text x=(NAME - 10) y=(base) text-anchor="end" { (name) }
                rect x=(NAME) y=(at * BAR + 4) width=(width) height=(BAR - 8) rx="2" {}
                text x=(NAME + width + 8) y=(base) { (grouped(*count)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bars, dollars, grouped, prices, round};
    use crate::market::Money;

    #[test]
    fn amounts_and_counts_are_formatted() {
        for (amount, text) in [
            (0, "$0.00"),
            (500, "$0.05"),
            (125_049, "$12.50"),
            (999_999, "$100.00"),
            (1_000_000, "$100"),
            (12_345_678_900, "$1,234,568"),
        ] {
            assert_eq!(dollars(Money(amount)), text);
        }
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!([1, 3, 5, 6, 11, 1_001].map(round), [1, 5, 5, 10, 20, 2_000]);
    }

    /// Nothing is drawn outside the picture, whatever the prices are.
    #[test]
    fn plotted_line_stays_within_the_picture() {
        for of in [
            vec![1, 1, 1],
            vec![0, 0],
            vec![1_000_000, 5, 900_000_000_000_000],
            vec![10_000_000, 10_000_100],
        ] {
            let points: Vec<(i64, Money)> = (20_000..)
                .zip(of)
                .map(|(day, price)| (day, Money(price)))
                .collect();
            let svg = prices(&points).expect("there are two").into_string();
            let line = svg
                .split("<polyline points=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .expect("there is a line");
            for pair in line.split(' ') {
                let (x, y) = pair.split_once(',').expect("a pair");
                assert!(
                    (0..=720).contains(&x.parse::<i64>().expect("x"))
                        && (0..=220).contains(&y.parse::<i64>().expect("y")),
                    "{pair} of {svg}"
                );
            }
        }
        assert!(prices(&[]).is_none() && prices(&[(1, Money(5))]).is_none());
        let bars = bars("a & b", &[("10".to_owned(), 0), ("9".to_owned(), 5)]);
        assert!(bars.into_string().contains("a &amp; b"));
    }
}
