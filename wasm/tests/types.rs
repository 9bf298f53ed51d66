//! Generates the package's TypeScript types from the Rust types that are written as JSON.
//! `UPDATE=1 cargo test -p titledex-wasm` writes them again.

use std::fmt::Write;
use std::{env, fs};
use syn::{Attribute, Expr, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Type};

/// Files with the types that are taken from them, and the case of their names if serde does not
/// say.
const SOURCES: [(&str, &[&str]); 8] = [
    (
        "../src/answer.rs",
        &[
            "Answer",
            "OutcomeType",
            "Outcome",
            "Match",
            "MarketIds",
            "NameSource",
            "PrintingMatch",
            "Evidence",
            "LogOdds",
            "TitleError",
            "Probability",
        ],
    ),
    (
        "../src/parsed/mod.rs",
        &[
            "Parsed",
            "Kind",
            "Field",
            "Reading",
            "Unread",
            "SetReading",
            "PrintingReading",
        ],
    ),
    ("../src/parsed/grade.rs", &["Grade", "GradeValue"]),
    (
        "../src/parsed/values.rs",
        &["Condition", "Finish", "GraderCode"],
    ),
    ("../src/span.rs", &["Span"]),
    ("src/options.rs", &["ParseOptions"]),
    ("../src/catalogue/info.rs", &["CatalogueInfo"]),
    ("src/failure.rs", &["ModuleErrorCode"]),
];
const OUTPUT: &str = "package/src/types.ts";

#[test]
fn package_types_equal_the_rust_types() {
    let mut out = String::from(
        "// Made from the Rust types by wasm/tests/types.rs; `UPDATE=1 cargo test -p titledex-wasm` writes it again.\n",
    );
    for (file, names) in SOURCES {
        let source = fs::read_to_string(file).expect("the file is in the repository");
        let items = syn::parse_file(&source).expect("it compiles").items;
        for name in names {
            let item = items.iter().find(|item| {
                matches!(item, Item::Struct(s) if s.ident == name)
                    || matches!(item, Item::Enum(e) if e.ident == name)
            });
            out.push('\n');
            write_item(
                &mut out,
                item.unwrap_or_else(|| panic!("{file} has no type {name}")),
            );
        }
    }
    if env::var_os("UPDATE").is_some() {
        fs::write(OUTPUT, &out).expect("the package's folder is there");
    }
    let stands = fs::read_to_string(OUTPUT).unwrap_or_default();
    assert!(
        stands == out,
        "{OUTPUT} is not what the Rust types say: UPDATE=1 cargo test -p titledex-wasm"
    );
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Enum(item) => {
            docs(out, &item.attrs, "");
            let case = serde(&item.attrs, "rename_all").unwrap_or_else(|| "snake_case".into());
            let names: Vec<String> = item
                .variants
                .iter()
                .map(|v| {
                    let own = serde(&v.attrs, "rename");
                    let name = own.unwrap_or_else(|| cased(&v.ident.to_string(), &case));
                    format!("\"{name}\"")
                })
                .collect();
            let _ = writeln!(out, "export type {} = {};", item.ident, names.join(" | "));
        }
        Item::Struct(item) => {
            docs(out, &item.attrs, "");
            let Fields::Named(fields) = &item.fields else {
                // a number in a type of its own
                let _ = writeln!(out, "export type {} = number;", item.ident);
                return;
            };
            // those that serde does not write are read by hand, in the case of JavaScript
            let written = derives(&item.attrs, "Serialize");
            let case = serde(&item.attrs, "rename_all").unwrap_or_else(|| {
                if written {
                    String::new()
                } else {
                    "camelCase".into()
                }
            });
            let flat: Vec<String> = fields
                .named
                .iter()
                .filter(|f| has(&f.attrs, "flatten"))
                .map(|f| typed(&f.ty).0)
                .collect();
            let base = if flat.is_empty() {
                String::new()
            } else {
                format!(" extends {}", flat.join(", "))
            };
            let _ = writeln!(out, "export interface {}{base} {{", item.ident);
            for field in fields.named.iter().filter(|f| !has(&f.attrs, "flatten")) {
                docs(out, &field.attrs, "  ");
                let name = field.ident.as_ref().expect("fields have names").to_string();
                let name = serde(&field.attrs, "rename").unwrap_or_else(|| cased(&name, &case));
                let (kind, option) = typed(&field.ty);
                let left_out = serde(&field.attrs, "skip_serializing_if").is_some();
                assert!(
                    left_out == option || !option || !written,
                    "`{name}` would be written as null"
                );
                // an option that is `undefined` is as one that is not there
                let undefined = if option && !written {
                    " | undefined"
                } else {
                    ""
                };
                let _ = writeln!(
                    out,
                    "  {name}{}: {kind}{undefined};",
                    if left_out || option { "?" } else { "" }
                );
            }
            out.push_str("}\n");
        }
        _ => unreachable!("only structs and enums are looked for"),
    }
}

/// The TypeScript of a type, and whether it is an `Option`.
fn typed(ty: &Type) -> (String, bool) {
    match ty {
        Type::Reference(reference) => typed(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has a name");
            let inner = || match &last.arguments {
                PathArguments::AngleBracketed(args) => args.args.iter().find_map(|a| {
                    if let GenericArgument::Type(ty) = a {
                        Some(typed(ty).0)
                    } else {
                        None
                    }
                }),
                _ => None,
            };
            match last.ident.to_string().as_str() {
                "str" | "String" | "Cow" => ("string".into(), false),
                "bool" => ("boolean".into(), false),
                "u8" | "u16" | "u32" | "u64" | "usize" | "f32" | "f64" => ("number".into(), false),
                "Option" => (inner().expect("an option of something"), true),
                "Vec" => (
                    format!("{}[]", inner().expect("a list of something")),
                    false,
                ),
                other => (other.to_owned(), false),
            }
        }
        _ => panic!("a type without a TypeScript counterpart"),
    }
}

fn docs(out: &mut String, attrs: &[Attribute], indent: &str) {
    let text = |attr: &Attribute| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(lit) => {
                if let Lit::Str(text) = &lit.lit {
                    Some(text.value().trim().to_owned())
                } else {
                    None
                }
            }
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<String> = attrs.iter().filter_map(text).collect();
    match lines.as_slice() {
        [] => {}
        [one] => _ = writeln!(out, "{indent}/** {one} */"),
        many => {
            let _ = writeln!(out, "{indent}/**");
            for line in many {
                let _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}

/// The value of serde's attribute `name`.
fn serde(attrs: &[Attribute], name: &str) -> Option<String> {
    let mut found = None;
    for attr in attrs.iter().filter(|a| a.path().is_ident("serde")) {
        let _ = attr.parse_nested_meta(|meta| {
            if meta.input.peek(syn::Token![=]) {
                let value: syn::LitStr = meta.value()?.parse()?;
                if meta.path.is_ident(name) {
                    found = Some(value.value());
                }
            }
            Ok(())
        });
    }
    found
}

/// Whether serde's attribute `name`, which has no value, is there.
fn has(attrs: &[Attribute], name: &str) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|a| a.path().is_ident("serde")) {
        let _ = attr.parse_nested_meta(|meta| {
            found |= meta.path.is_ident(name);
            Ok(())
        });
    }
    found
}

fn derives(attrs: &[Attribute], name: &str) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|a| a.path().is_ident("derive")) {
        let _ = attr.parse_nested_meta(|meta| {
            found |= meta.path.is_ident(name);
            Ok(())
        });
    }
    found
}

/// A name of Rust in another case.
fn cased(name: &str, case: &str) -> String {
    match case {
        "lowercase" => name.to_lowercase(),
        "snake_case" => {
            let mut out = String::new();
            for c in name.chars() {
                if c.is_uppercase() && !out.is_empty() {
                    out.push('_');
                }
                out.extend(c.to_lowercase());
            }
            out
        }
        "camelCase" => {
            let mut out = String::new();
            let mut upper = false;
            for c in name.chars() {
                if c == '_' {
                    upper = true;
                } else if upper {
                    out.extend(c.to_uppercase());
                    upper = false;
                } else if out.is_empty() {
                    out.extend(c.to_lowercase());
                } else {
                    out.push(c);
                }
            }
            out
        }
        _ => name.to_owned(),
    }
}
