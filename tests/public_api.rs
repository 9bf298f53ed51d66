//! The public API against its snapshot, `tests/public-api.txt`: what the root of the crate names,
//! with fields, variants, methods and traits.
//!
//! It reads the source (rustdoc's JSON needs a nightly compiler): the `pub use` of `src/lib.rs`,
//! and the definitions and `impl` blocks of the names in it. Items with `#[doc(hidden)]` are left
//! out. `UPDATE=1` accepts a change.

mod support;

use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{Attribute, Fields, ImplItem, Item, Type, UseTree, Visibility};

/// More than this cannot be read in a minute.
const MOST: usize = 42;
const SNAPSHOT: &str = "tests/public-api.txt";

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| a.path().is_ident("doc") && text(&a.meta).contains("hidden"))
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Tokens as a person would write them, more or less.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("> (", ">("),
        (" , ", ", "),
        (" ,", ","),
        (" : ", ": "),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ;", ";"),
        ("< '", "<'"),
        ("[ ", "["),
        (" ]", "]"),
        ("# [", "#["),
        (",)", ")"),
        ("-> ", "-> "),
        ("->", " -> "),
    ] {
        text = text.replace(from, to);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The attributes that callers notice.
fn noticed(attributes: &[Attribute]) -> String {
    attributes
        .iter()
        .filter(|a| {
            ["derive", "non_exhaustive", "must_use", "cfg"]
                .iter()
                .any(|name| a.path().is_ident(name))
        })
        .map(|a| format!("{} ", text(a)))
        .collect()
}

/// The names that a `use` brings.
fn names(tree: &UseTree, out: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, out),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, out)),
        UseTree::Name(name) => {
            out.insert(name.ident.to_string());
        }
        UseTree::Rename(rename) => {
            out.insert(rename.rename.to_string());
        }
        UseTree::Glob(_) => panic!("the root names each of its items: no `*`"),
    }
}

/// The items of the crate's root.
fn root() -> BTreeSet<String> {
    let file = syn::parse_file(&support::read("src/lib.rs")).expect("the crate compiles");
    let mut out = BTreeSet::new();
    for item in &file.items {
        match item {
            Item::Use(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                names(&item.tree, &mut out);
            }
            Item::Mod(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                out.insert(item.ident.to_string());
            }
            Item::Fn(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                out.insert(item.sig.ident.to_string());
            }
            Item::Struct(item) if is_public(&item.vis) => {
                out.insert(item.ident.to_string());
            }
            _ => {}
        }
    }
    out
}

/// The lines of each item, by name.
type Lines = BTreeMap<String, BTreeSet<String>>;

fn fields(name: &str, fields: &Fields) -> Vec<String> {
    let shown = fields
        .iter()
        .filter(|f| is_public(&f.vis) && !is_hidden(&f.attrs));
    shown
        .map(|f| {
            let member = f.ident.as_ref().map_or("0".to_owned(), ToString::to_string);
            format!("{name}.{member}: {}", text(&f.ty))
        })
        .collect()
}

fn collect(items: &[Item], root: &BTreeSet<String>, out: &mut Lines) {
    for item in items {
        let (name, lines) = match item {
            Item::Struct(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let head = format!(
                    "{}struct {name}{}",
                    noticed(&item.attrs),
                    text(&item.generics)
                );
                let mut lines = fields(&name, &item.fields);
                lines.push(head);
                (name, lines)
            }
            Item::Enum(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut lines = vec![format!(
                    "{}enum {name}{}",
                    noticed(&item.attrs),
                    text(&item.generics)
                )];
                lines.extend(
                    item.variants
                        .iter()
                        .map(|v| format!("{name}::{}{}", v.ident, text(&v.fields))),
                );
                (name, lines)
            }
            Item::Const(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let line = format!("const {name}: {}", text(&item.ty));
                (name, vec![line])
            }
            Item::Fn(item) if is_public(&item.vis) => {
                let line = format!("{}{}", noticed(&item.attrs), text(&item.sig));
                (item.sig.ident.to_string(), vec![line])
            }
            Item::Impl(item) => {
                let Type::Path(of) = &*item.self_ty else {
                    continue;
                };
                let Some(name) = of.path.segments.last().map(|s| s.ident.to_string()) else {
                    continue;
                };
                let cfg = noticed(&item.attrs);
                let lines = match &item.trait_ {
                    Some((_, path, _)) => {
                        vec![format!(
                            "{cfg}impl {} for {}",
                            text(path),
                            text(&item.self_ty)
                        )]
                    }
                    None => item
                        .items
                        .iter()
                        .filter_map(|member| match member {
                            ImplItem::Fn(f) if is_public(&f.vis) && !is_hidden(&f.attrs) => {
                                let attributes = noticed(&f.attrs).replace("#[must_use] ", "");
                                Some(format!("{attributes}{name}::{}", text(&f.sig)))
                            }
                            ImplItem::Const(c) if is_public(&c.vis) && !is_hidden(&c.attrs) => {
                                Some(format!("const {name}::{}: {}", c.ident, text(&c.ty)))
                            }
                            _ => None,
                        })
                        .collect(),
                };
                (name, lines)
            }
            Item::Mod(item) => {
                let tests = item.attrs.iter().any(|a| text(a).contains("cfg(test)"));
                if let Some((_, items)) = item.content.as_ref().filter(|_| !tests) {
                    collect(items, root, out);
                }
                continue;
            }
            _ => continue,
        };
        if root.contains(&name) {
            out.entry(name).or_default().extend(lines);
        }
    }
}

fn read_folder(folder: &Path, root: &BTreeSet<String>, out: &mut Lines) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            read_folder(&path, root, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            let file = syn::parse_file(&support::read(&path))
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            collect(&file.items, root, out);
        }
    }
}

#[test]
fn the_public_api_is_its_snapshot() {
    let root = root();
    let mut lines = Lines::new();
    read_folder(&support::root().join("src"), &root, &mut lines);
    for name in &root {
        assert!(lines.contains_key(name), "{name} is defined nowhere");
    }
    let mut now = format!("# {} items at the root\n", root.len());
    for (name, lines) in &lines {
        now.push_str(&format!("\n{name}\n"));
        for line in lines {
            now.push_str(&format!("  {line}\n"));
        }
    }
    if support::update() {
        fs::write(support::root().join(SNAPSHOT), &now).expect("the snapshot can be written");
    }
    let before = fs::read_to_string(support::root().join(SNAPSHOT)).unwrap_or_default();
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) =
        (before.lines().collect(), now.lines().collect());
    let gone: Vec<_> = old.difference(&new).collect();
    let come: Vec<_> = new.difference(&old).collect();
    assert!(
        before == now,
        "the public API differs from {SNAPSHOT}; accept it with UPDATE=1\n  gone: {gone:#?}\n  new: {come:#?}"
    );
}

#[test]
fn the_root_can_be_read_in_a_minute() {
    let root = root();
    assert!(
        root.len() <= MOST,
        "{} items at the root, at most {MOST}: {root:?}",
        root.len()
    );
}
