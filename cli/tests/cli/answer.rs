//! The example of docs/ANSWER.md: what it shows of an answer is what the command writes.

use crate::support::{repository, run};
use serde_json::Value;
use std::fs;

/// Where `shown` says something else than `answer`, which may say more: other members, and other
/// items of a list.
fn differs(shown: &Value, answer: &Value, place: &str) -> Option<String> {
    match (shown, answer) {
        (Value::Object(shown), Value::Object(all)) => shown.iter().find_map(|(member, value)| {
            let place = format!("{place}.{member}");
            match all.get(member) {
                Some(held) => differs(value, held, &place),
                None => Some(format!("{place} is not in the answer")),
            }
        }),
        (Value::Array(shown), Value::Array(all)) => shown.iter().find_map(|item| {
            let same = |held: &Value| differs(item, held, place).is_none();
            (!all.iter().any(same)).then(|| format!("{place}: no item is {item}"))
        }),
        _ => (shown != answer).then(|| format!("{place} is {answer}, and not {shown}")),
    }
}

#[test]
fn example_of_the_page_is_what_the_command_writes() {
    let page = fs::read_to_string(repository("docs/ANSWER.md")).expect("the page is there");
    let block = page.split("```json\n").nth(1).expect("it has an example");
    let block = block.split("```").next().expect("the example ends");
    let shown: Value = serde_json::from_str(block).expect("it is JSON");
    let title = shown["title"].as_str().expect("it has a title");
    let answer = run(&["parse", "--format", "jsonl", title])
        .ended(0)
        .answers()
        .remove(0);
    assert_eq!(differs(&shown, &answer, "the answer"), None);
}
