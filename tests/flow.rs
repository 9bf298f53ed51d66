//! The order of the modules in `src/` is the one in docs/DESIGN.md: each uses those above it and
//! none below.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The order as docs/DESIGN.md states it.
struct Order {
    /// Place of each module.
    places: HashMap<String, usize>,
    names: Vec<String>,
    /// The place of the first module beside the flow: no stage uses these.
    beside: usize,
}

const BESIDE: &str = "beside the flow:";

impl Order {
    fn read() -> Order {
        let design =
            fs::read_to_string(root().join("docs/DESIGN.md")).expect("docs/DESIGN.md is there");
        let block = design
            .split_once("```text order\n")
            .and_then(|(_, rest)| rest.split_once("\n```"))
            .expect("docs/DESIGN.md has a block `text order`")
            .0;
        let (mut names, mut beside) = (Vec::new(), usize::MAX);
        for line in block.lines() {
            if line == BESIDE {
                beside = names.len();
            } else if let Some(name) = line.split_whitespace().next() {
                names.push(name.to_owned());
            }
        }
        assert!(
            beside < names.len(),
            "the block `text order` has a line `{BESIDE}`"
        );
        let places = names.iter().cloned().zip(0..).collect();
        Order {
            places,
            names,
            beside,
        }
    }

    /// The reason why `user` may not use `used`, if there is one.
    fn against(&self, user: &str, used: &str) -> Option<&'static str> {
        let (user, used) = (self.places[user], self.places[used]);
        if used > user {
            Some("is below it")
        } else if used >= self.beside && user < self.beside {
            Some("is beside the flow")
        } else {
            None
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All source files beneath `folder`.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of sources")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            out.push(path);
        }
    }
}

/// `text` with the same lines, but without comments and without modules of tests.
fn code(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = Vec::new();
    let (mut tests, mut pending) = (false, false);
    for line in text.lines() {
        if line == "#[cfg(test)]" {
            pending = true;
        } else if pending {
            tests = line.starts_with("mod ") && line.ends_with('{');
            pending = false;
        }
        lines.push(if tests || pending {
            ""
        } else {
            line.split("//").next().unwrap_or("")
        });
        tests &= line != "}";
    }
    lines
}

/// The modules of a file beneath `src/`: `extract/number.rs` is `["extract", "number"]`.
fn modules_of(file: &Path) -> Vec<String> {
    let mut parts: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// The names that the root re-exports: name → module.
fn exports(lib: &str) -> HashMap<String, String> {
    let mut all = HashMap::new();
    // names in `internals` are not names of the root
    let root = lib.split("pub mod internals").next().unwrap_or("");
    for statement in root.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or("");
        let (module, names) = statement
            .split_once("::")
            .expect("a re-export names its module");
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_') {
            all.insert(name.to_owned(), module.to_owned());
        }
    }
    all
}

/// The first parts of the paths after `crate::` or `super::` at the beginning of `rest`.
fn heads(rest: &str) -> Vec<&str> {
    let ident = |text: &'_ str| {
        text.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    let Some(list) = rest.strip_prefix('{') else {
        return vec![&rest[..ident(rest)]];
    };
    let (mut depth, mut all, mut from) = (0, Vec::new(), true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => from = true,
            _ if from && !c.is_whitespace() => {
                all.push(&list[at..at + ident(&list[at..])]);
                from = false;
            }
            _ => {}
        }
    }
    all
}

/// The top modules that a file uses, each with its line.
fn uses(
    file: &Path,
    text: &str,
    order: &Order,
    exports: &HashMap<String, String>,
) -> Vec<(usize, String)> {
    let own = modules_of(file);
    let lines = code(text);
    let joined = lines.join("\n");
    let mut found = Vec::new();
    for (at, _) in joined.match_indices("::") {
        let before = &joined[..at];
        let line = before.matches('\n').count() + 1;
        let rest = &joined[at + 2..];
        let word = before
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or("");
        let chain = before.len() - word.len();
        // in `super::super::x` the last one counts
        let ups = match word {
            "crate" => own.len(),
            "super" => 1 + chained(&before[..chain]),
            _ => continue,
        };
        if rest.starts_with("super::") || ups < own.len() {
            continue;
        }
        for head in heads(rest) {
            let module = exports.get(head).map_or(head, String::as_str);
            assert!(
                order.places.contains_key(module),
                "src/{}:{line}: `{head}` is neither a module of docs/DESIGN.md nor exported by src/lib.rs",
                file.display()
            );
            found.push((line, module.to_owned()));
        }
    }
    found
}

/// Number of `super::` at the end of `text`.
fn chained(mut text: &str) -> usize {
    let mut count = 0;
    while let Some(shorter) = text.strip_suffix("super::") {
        (text, count) = (shorter, count + 1);
    }
    count
}

/// The upward uses in the file at `file` beneath `src/`.
fn violations(
    file: &Path,
    text: &str,
    order: &Order,
    exports: &HashMap<String, String>,
) -> Vec<String> {
    let own = modules_of(file);
    let user = own.first().map_or("", String::as_str);
    let used = uses(file, text, order, exports);
    used.into_iter()
        .filter_map(|(line, used)| {
            let why = order.against(user, &used)?;
            Some(format!(
                "src/{}:{line}: `{user}` uses `{used}`, which {why} in docs/DESIGN.md",
                file.display()
            ))
        })
        .collect()
}

#[test]
fn no_module_uses_one_below_it() {
    let order = Order::read();
    let src = root().join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).expect("src/lib.rs is there");
    let exports = exports(&lib);
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut wrong = Vec::new();
    for path in files.iter().filter(|path| **path != src.join("lib.rs")) {
        let file = path.strip_prefix(&src).expect("it lies in src");
        let text = fs::read_to_string(path).expect("a readable source");
        wrong.extend(violations(file, &text, &order, &exports));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_modules_are_declared_in_that_order() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs is there");
    let declared: Vec<&str> = lib
        .lines()
        .filter_map(|line| {
            line.trim_start_matches("pub ")
                .strip_prefix("mod ")?
                .strip_suffix(';')
        })
        .collect();
    assert_eq!(declared, Order::read().names);
}

#[test]
fn uses_against_the_order_are_found_in_every_form() {
    let order = Order::read();
    let exports = HashMap::from([("Engine".to_owned(), "engine".to_owned())]);
    let found = |file: &str, text: &str| violations(Path::new(file), text, &order, &exports).len();
    assert_eq!(found("token.rs", "use crate::engine::Scratch;\n"), 1);
    assert_eq!(found("token.rs", "fn f() -> crate::Engine {}\n"), 1);
    assert_eq!(
        found(
            "token.rs",
            "use crate::{\n    engine::{Scratch, Stage},\n    span,\n    score::Scorer,\n};\n"
        ),
        2
    );
    assert_eq!(
        found("extract/number.rs", "use super::super::clues::Query;\n"),
        1
    );
    assert_eq!(found("extract/mod.rs", "use super::clues::Query;\n"), 1);
    assert_eq!(found("extract/number.rs", "use super::clues::Query;\n"), 0);
    assert_eq!(found("score/mod.rs", "use crate::build::Rows;\n"), 1);
    assert_eq!(found("train/mod.rs", "use crate::score::Scorer;\n"), 0);
    assert_eq!(found("token.rs", "// as crate::engine::Engine does\n"), 0);
    assert_eq!(
        found(
            "token.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::engine::Scratch;\n}\n"
        ),
        0
    );
}
