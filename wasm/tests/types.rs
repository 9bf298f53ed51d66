//! Generates the package's TypeScript types from the Rust types that are written as JSON, and what
//! makes objects of them from the numbers and letters that `wasm/src/tape.rs` writes.
//! `UPDATE=1 cargo test -p titledex-wasm` writes both again.

use std::fmt::Write;
use std::{env, fs};
use syn::{
    Attribute, Expr, Field, Fields, GenericArgument, Item, ItemEnum, ItemStruct, Lit, Meta,
    PathArguments, PathSegment, Type,
};

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
            "Conflict",
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
const TYPES: &str = "package/src/types.ts";
const OBJECTS: &str = "package/src/objects.ts";
const MADE: &str = "// Made from the Rust types by wasm/tests/types.rs; `UPDATE=1 cargo test -p titledex-wasm` writes it again.\n";

/// The types of [`SOURCES`], in their order.
fn items() -> Vec<Item> {
    let mut found = Vec::new();
    for (file, names) in SOURCES {
        let source = fs::read_to_string(file).expect("the file is in the repository");
        let mut items = syn::parse_file(&source).expect("it compiles").items;
        for name in names {
            let place = items.iter().position(|item| {
                matches!(item, Item::Struct(s) if s.ident == name)
                    || matches!(item, Item::Enum(e) if e.ident == name)
            });
            let place = place.unwrap_or_else(|| panic!("{file} has no type {name}"));
            found.push(items.swap_remove(place));
        }
    }
    found
}

/// Compares a file with what it shall be; writes it where `UPDATE` is set.
fn keep(file: &str, made: &str) {
    if env::var_os("UPDATE").is_some() {
        fs::write(file, made).expect("the package's folder is there");
    }
    let stands = fs::read_to_string(file).unwrap_or_default();
    assert!(
        stands == made,
        "{file} is not what the Rust types say: UPDATE=1 cargo test -p titledex-wasm"
    );
}

#[test]
fn package_types_equal_the_rust_types() {
    let mut out = MADE.to_owned();
    for item in items() {
        out.push('\n');
        write_item(&mut out, &item);
    }
    keep(TYPES, &out);
}

#[test]
fn package_makes_answers_as_the_rust_types_say() {
    let maker = Maker { items: items() };
    keep(OBJECTS, &maker.written());
}

/// Writes what makes answers.
struct Maker {
    items: Vec<Item>,
}

/// A member of an object.
struct Member {
    name: String,
    /// The TypeScript that makes its value.
    made: String,
    /// It may be left out.
    optional: bool,
}

impl Maker {
    fn written(&self) -> String {
        let mut parts = Vec::new();
        self.add("Answer", &mut parts);
        let named: Vec<&str> = parts
            .iter()
            .filter(|part| !part.name.starts_with("list of "))
            .map(|part| part.name.as_str())
            .collect();
        let mut out = format!(
            "{MADE}\nimport {{ decimal, number, skip, text, truth, whole }} from \"./tape.js\";\nimport type {{ {} }} from \"./types.js\";\n",
            named.join(", ")
        );
        for part in &parts {
            out.push('\n');
            out.push_str(&part.code);
        }
        out
    }

    fn item(&self, name: &str) -> &Item {
        let mut items = self.items.iter();
        let found = items.find(|item| match item {
            Item::Struct(item) => item.ident == name,
            Item::Enum(item) => item.ident == name,
            _ => false,
        });
        found.unwrap_or_else(|| panic!("no type {name} is among the sources"))
    }

    /// Adds what makes the type `name`, and all that it needs, unless it is there.
    fn add(&self, name: &str, parts: &mut Vec<Part>) {
        if parts.iter().any(|part| part.name == name) {
            return;
        }
        let place = parts.len();
        parts.push(Part {
            name: name.to_owned(),
            code: String::new(),
        });
        parts[place].code = match self.item(name) {
            Item::Enum(item) => {
                let names = names(item).join(", ");
                let constant = constant(name);
                format!("const {constant}: readonly {name}[] = [{names}];\n")
            }
            Item::Struct(item) => self.object(item, parts),
            _ => unreachable!("only structs and enums are looked for"),
        };
    }

    /// The function that makes a struct.
    fn object(&self, item: &ItemStruct, parts: &mut Vec<Part>) -> String {
        let flat = fields(item).any(|field| has(&field.attrs, "flatten"));
        let members = self.members(item, parts);
        let name = item.ident.to_string();
        let export = match &*name {
            "Answer" => "/** The next of the answers that were taken up. */\nexport ",
            _ => "",
        };
        let mut out = format!("{export}function {}(): {name} {{\n", function(&name));
        // see `serialize_map`
        let bits = if flat { 0 } else { members.len() };
        let some = members.iter().any(|member| member.optional);
        assert!(!(flat && some), "a member of `{name}` may be left out");
        if some {
            out.push_str("  const there = number();\n");
        } else if bits > 0 {
            out.push_str("  skip();\n");
        }
        let required = members.iter().take_while(|member| !member.optional).count();
        let (first, rest) = members.split_at(required);
        let object: Vec<String> = first
            .iter()
            .map(|member| format!("{}: {}", member.name, member.made))
            .collect();
        let object = match object.join(", ") {
            none if none.is_empty() => "{}".to_owned(),
            some => format!("{{ {some} }}"),
        };
        if rest.is_empty() {
            let _ = writeln!(out, "  return {object};");
        } else {
            let _ = writeln!(out, "  const made = {object} as {name};");
            for (
                bit,
                Member {
                    name,
                    made,
                    optional,
                },
            ) in (required..).zip(rest)
            {
                let there = match optional {
                    true => format!("if (there & {}) ", 1u32 << bit),
                    false => String::new(),
                };
                let _ = writeln!(out, "  {there}made.{name} = {made};");
            }
            out.push_str("  return made;\n");
        }
        out.push_str("}\n");
        out
    }

    /// The members of a struct, with those of a struct that is flattened into it in its place.
    fn members(&self, item: &ItemStruct, parts: &mut Vec<Part>) -> Vec<Member> {
        let case = serde(&item.attrs, "rename_all").unwrap_or_default();
        let mut members = Vec::new();
        for field in fields(item) {
            if has(&field.attrs, "flatten") {
                let Item::Struct(inner) = self.item(&typed(&field.ty).0) else {
                    panic!("only structs are flattened")
                };
                members.extend(self.members(inner, parts));
                continue;
            }
            members.push(Member {
                name: member_name(field, &case),
                made: self.made(&field.ty, parts),
                optional: serde(&field.attrs, "skip_serializing_if").is_some(),
            });
        }
        members
    }

    /// The TypeScript that makes a value of a type.
    fn made(&self, ty: &Type, parts: &mut Vec<Part>) -> String {
        let Type::Path(path) = ty else {
            panic!("an answer has no such type")
        };
        let last = path.path.segments.last().expect("a path has a name");
        match last.ident.to_string().as_str() {
            "String" | "Cow" => "text()".to_owned(),
            "bool" => "truth()".to_owned(),
            "u16" | "u32" => "whole()".to_owned(),
            // see `serialize_u8` of the tape
            "f32" | "u8" => "decimal()".to_owned(),
            "Option" => self.made(argument(last), parts),
            "Vec" => {
                let one = argument(last);
                let (made, kind) = (self.made(one, parts), typed(one).0);
                let name = format!("list of {kind}");
                let function = format!("{}List", function(&kind));
                if !parts.iter().any(|part| part.name == name) {
                    let code = format!(
                        "function {function}(): {kind}[] {{\n  const made: {kind}[] = [];\n  for (let left = number(); left > 0; left--) made.push({made});\n  return made;\n}}\n"
                    );
                    parts.push(Part { name, code });
                }
                format!("{function}()")
            }
            other => match self.item(other) {
                Item::Enum(_) => {
                    self.add(other, parts);
                    format!("{}[number()] as {other}", constant(other))
                }
                Item::Struct(item) => match &item.fields {
                    Fields::Unnamed(inner) => self.made(&inner.unnamed[0].ty, parts),
                    _ => {
                        self.add(other, parts);
                        format!("{}()", function(other))
                    }
                },
                _ => unreachable!("only structs and enums are looked for"),
            },
        }
    }
}

/// A piece of [`OBJECTS`], with the type that it makes.
struct Part {
    name: String,
    code: String,
}

/// The function that makes a type, and the list of an enum's names.
fn function(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}

fn constant(name: &str) -> String {
    cased(name, "snake_case").to_uppercase()
}

fn fields(item: &ItemStruct) -> impl Iterator<Item = &Field> {
    item.fields.iter()
}

/// The names of an enum as JSON has them, in quotation marks.
fn names(item: &ItemEnum) -> Vec<String> {
    let case = serde(&item.attrs, "rename_all").unwrap_or_else(|| "snake_case".into());
    let name = |v: &syn::Variant| {
        let own = serde(&v.attrs, "rename");
        let name = own.unwrap_or_else(|| cased(&v.ident.to_string(), &case));
        format!("\"{name}\"")
    };
    item.variants.iter().map(name).collect()
}

/// The name of a member as JSON has it.
fn member_name(field: &Field, case: &str) -> String {
    let name = field.ident.as_ref().expect("fields have names").to_string();
    serde(&field.attrs, "rename").unwrap_or_else(|| cased(&name, case))
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Enum(item) => {
            docs(out, &item.attrs, "");
            let names = names(item).join(" | ");
            let _ = writeln!(out, "export type {} = {names};", item.ident);
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
                let name = member_name(field, &case);
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

/// The type that an option or a list is of.
fn argument(of: &PathSegment) -> &Type {
    let PathArguments::AngleBracketed(arguments) = &of.arguments else {
        panic!("`{}` is of nothing", of.ident)
    };
    let types = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.unwrap_or_else(|| panic!("`{}` is of no type", of.ident))
}

/// The TypeScript of a type, and whether it is an `Option`.
fn typed(ty: &Type) -> (String, bool) {
    match ty {
        Type::Reference(reference) => typed(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has a name");
            match last.ident.to_string().as_str() {
                "str" | "String" | "Cow" => ("string".into(), false),
                "bool" => ("boolean".into(), false),
                "u8" | "u16" | "u32" | "u64" | "usize" | "f32" | "f64" => ("number".into(), false),
                "Option" => (typed(argument(last)).0, true),
                "Vec" => (format!("{}[]", typed(argument(last)).0), false),
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
