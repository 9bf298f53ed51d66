//! The files of the service import each other in one direction, apart from small groups that belong
//! together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Files that may import each other in a circle: a module and its parts, no more.
const LARGEST_CIRCLE: usize = 3;

type Module = Vec<String>;

/// The files below `folder` by module path: `["market", "day"]`, and `[]` for `lib.rs`. Files of
/// tests and other programs are left out.
fn modules(folder: &Path, at: &Module, found: &mut BTreeMap<Module, (String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let name = entry.file_name().into_string().expect("names are ASCII");
        let mut module = at.clone();
        if entry.path().is_dir() {
            if name != "bin" {
                module.push(name);
                modules(&entry.path(), &module, found);
            }
            continue;
        }
        match name.strip_suffix(".rs") {
            None | Some("main" | "tests") => continue,
            Some("lib" | "mod") => {}
            Some(stem) => module.push(stem.to_owned()),
        }
        let text = fs::read_to_string(entry.path()).expect("it is text");
        let shown = format!(
            "{}.rs",
            at.iter().map(|part| format!("{part}/")).collect::<String>()
                + name.trim_end_matches(".rs")
        );
        found.insert(module, (shown, code(&text)));
    }
}

/// The code of a file without comments and without its module of tests.
fn code(text: &str) -> String {
    let tests = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..tests]
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The paths of a tree of imports: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, inner)) = tree
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.strip_suffix('}')?)))
    else {
        return vec![tree.split(" as ").next().unwrap_or_default().to_owned()];
    };
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in inner.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
        .iter()
        .filter(|part| !part.trim().is_empty())
        .flat_map(|part| paths(part))
        .map(|path| format!("{before}{path}"))
        .collect()
}

/// Every path that a file names, in `use` and in between.
fn named(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for (at, piece) in code.split("use ").enumerate() {
        let begins_a_word =
            at > 0 && !rest.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        match piece.split_once(';').filter(|_| begins_a_word) {
            Some((tree, after)) => {
                found.extend(paths(tree));
                rest.push_str(after);
            }
            None => rest.push_str(piece),
        }
    }
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    found.extend(
        rest.split(|letter| !is_path(letter))
            .filter(|word| word.contains("::"))
            .map(str::to_owned),
    );
    found
}

/// The modules that a module imports.
fn imported(
    module: &Module,
    code: &str,
    known: &BTreeMap<Module, (String, String)>,
) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for path in named(code) {
        let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
        let mut target = module.clone();
        match parts.first() {
            Some(&"crate") => target.clear(),
            Some(&"super" | &"self") => {
                for part in &parts {
                    match *part {
                        "super" => drop(target.pop()),
                        "self" => {}
                        _ => break,
                    }
                }
            }
            // a child of this module
            Some(child) => {
                let mut of_child = module.clone();
                of_child.push((*child).to_owned());
                if !known.contains_key(&of_child) {
                    continue;
                }
            }
            None => continue,
        }
        parts.retain(|part| !matches!(*part, "crate" | "super" | "self"));
        for part in parts {
            target.push(part.to_owned());
            if !known.contains_key(&target) {
                target.pop();
                break;
            }
        }
        if target != *module && known.contains_key(&target) {
            found.insert(target);
        }
    }
    found
}

/// All modules that a module reaches over imports.
fn reached<'m>(
    from: &'m Module,
    imports: &'m BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeSet<&'m Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        open.extend(imports[module].iter().filter(|next| found.insert(*next)));
    }
    found
}

/// Circles of more files than `largest`, as lists of their files.
fn circles(known: &BTreeMap<Module, (String, String)>, largest: usize) -> Vec<Vec<&str>> {
    let imports: BTreeMap<Module, BTreeSet<Module>> = known
        .iter()
        .map(|(module, (_, code))| (module.clone(), imported(module, code, known)))
        .collect();
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = imports
        .keys()
        .map(|module| (module, reached(module, &imports)))
        .collect();
    let circles: BTreeSet<Vec<&str>> = reach
        .iter()
        .map(|(module, others)| {
            others
                .iter()
                .filter(|other| reach[*other].contains(module))
                .map(|other| known[*other].0.as_str())
                .collect()
        })
        .collect();
    circles
        .into_iter()
        .filter(|circle| circle.len() > largest)
        .collect()
}

#[test]
fn no_circle_of_imports_has_more_than_three_files() {
    let mut known = BTreeMap::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    modules(&source, &Vec::new(), &mut known);
    assert!(known.len() > 50, "{} files", known.len());
    let found = circles(&known, LARGEST_CIRCLE);
    assert!(
        found.is_empty(),
        "files import each other in a circle; move what they share into a file that imports none of them: {found:#?}"
    );
}

#[test]
fn circles_are_found_over_every_kind_of_path() {
    let known: BTreeMap<Module, (String, String)> = [
        (&["a"][..], "a.rs", "use crate::b::{self, Thing};"),
        (&["b"], "b/mod.rs", "pub mod c;\nfn f() { c::g() }"),
        (&["b", "c"], "b/c.rs", "fn g() { super::super::d::h() }"),
        (
            &["d"],
            "d.rs",
            "use std::fmt;\nuse crate::{\n    a::X as Y,\n    e,\n};",
        ),
        (&["e"], "e.rs", "fn alone() { std::mem::take(x) }"),
    ]
    .into_iter()
    .map(|(module, file, text)| {
        let module = module.iter().map(|part| (*part).to_owned()).collect();
        (module, (file.to_owned(), code(text)))
    })
    .collect();
    assert_eq!(circles(&known, 3), [["a.rs", "b/mod.rs", "b/c.rs", "d.rs"]]);
    assert!(circles(&known, 4).is_empty());
}
