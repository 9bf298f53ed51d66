//! `titledex-server refresh`: the steps of a day at once, and the files of `deploy/` that run it.

use super::{folder, server, write};
use serde_json::Value;
use std::fs;
use std::path::Path;
use titledex_server::config::Settings;

const CARDS: &str = "marketplaceId,name,setName,setId,cardNumber,language,printing\n\
                     own-7:holo,Glitterzard,Home Made,own,7/10,english,Holo\n";
const SETTINGS: &str = "[market]\nfill = false\n[imports]\nwatch = 'inbox'\nsettle-seconds = 1\n[exports]\nfolder = 'out'\n";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("it is there")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn refresh_imports_the_folder_and_then_exports() {
    let folder = folder();
    let refresh = ["refresh", "--config", "td.toml"];
    write(&folder, "td.toml", SETTINGS);
    // it makes no database
    let ran = server(&folder, &refresh);
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(ran.said.contains("there is no database"), "{}", ran.said);
    let ran = server(
        &folder,
        &["admin", "account", "create", "shop", "--plan", "free"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    // nor a folder
    let ran = server(&folder, &refresh);
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(
        ran.said.contains("the watched folder inbox cannot be read"),
        "{}",
        ran.said
    );
    fs::create_dir(folder.path().join("inbox")).expect("writable");
    write(&folder, "inbox/cards-own.csv.gz", CARDS);
    write(
        &folder,
        "inbox/prices-2026-11-20.csv",
        "marketplaceId,date,marketPrice\nown-7:holo,2026-11-20,12.50\n",
    );
    let ran = server(&folder, &refresh);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.said);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["kind"].as_str().or(line["dataset"].as_str()))
        .collect();
    let steps = [
        "cards",
        "prices",
        "cards",
        "sealed",
        "auction",
        "population",
    ];
    assert_eq!(kinds, steps.map(Some), "{}", ran.out);
    assert_eq!(lines[2]["records"], 1);
    assert_eq!(names(&folder.path().join("inbox")), ["done"]);
    assert_eq!(names(&folder.path().join("out")).len(), 4);
    // rows that are wrong, and a file that is not understood
    write(
        &folder,
        "inbox/prices-2026-11-21.csv",
        "marketplaceId,date,marketPrice\nown-7:holo,2026-11-20,13\nown-8:holo,2026-11-20,1\n",
    );
    let ran = server(&folder, &refresh);
    assert_eq!(ran.code, Some(3), "{} {}", ran.out, ran.said);
    write(&folder, "inbox/prices.csv", "marketplaceId,colour\n");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("inbox/sales.csv"))
        .expect("writable");
    let ran = server(&folder, &refresh);
    assert_eq!(ran.code, Some(1), "{} {}", ran.out, ran.said);
    assert!(
        ran.said.contains("2 files were not imported"),
        "{}",
        ran.said
    );
    assert!(
        ran.out.contains("is a link: put the file itself here"),
        "{}",
        ran.out
    );
    assert_eq!(
        names(&folder.path().join("inbox")),
        ["done", "failed", "sales.csv"]
    );
}

/// The settings that `deploy/` ships are read, and its units and services run commands that exist,
/// at the time of the export, on folders that outlive a container.
#[test]
fn deployed_files_agree_with_the_program() {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
    let read = |name: &str| fs::read_to_string(deploy.join(name)).expect("it is there");
    let settings = read("titledex.toml").replace("# watch", "watch");
    let settings = Settings::parse(&settings).expect("it is right");
    let watched = settings.imports.watch.expect("it is watched");
    let unit = read("titledex-refresh.service");
    let command = format!(
        "ExecStart=/usr/local/bin/titledex-server refresh {} --config /etc/titledex/titledex.toml\n",
        watched.display()
    );
    assert!(unit.contains(&command), "{unit}");
    assert!(read("titledex-refresh.timer").contains("\nOnCalendar=*-*-* 06:00:00 UTC\n"));
    let compose = read("compose.yaml");
    assert_eq!(
        compose.matches("      - data:/data\n").count(),
        2,
        "service and refresh share it"
    );
    assert!(compose.contains("\nvolumes:\n  data:\n"), "{compose}");
    assert!(
        compose.contains("command: [\"refresh\", \"/data/inbox\", "),
        "{compose}"
    );
    let folder = folder();
    for command in ["serve", "refresh", "admin"] {
        assert_eq!(
            server(&folder, &[command, "--help"]).code,
            Some(0),
            "{command}"
        );
    }
}
