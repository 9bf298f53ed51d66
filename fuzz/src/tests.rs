use super::TARGETS;
use std::path::Path;

/// What is kept of a corpus, and what once failed.
#[test]
fn targets_hold_for_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut folders: Vec<_> = std::fs::read_dir(&corpus)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    folders.sort();
    let mut names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert_eq!(folders, names, "a folder for each target");
    for (name, target) in TARGETS {
        let files = std::fs::read_dir(corpus.join(name)).expect("it can be read");
        let mut count = 0;
        for file in files {
            let path = file.expect("it can be read").path();
            println!("{}", path.display());
            target(&std::fs::read(&path).expect("it can be read"));
            count += 1;
        }
        assert!(count > 0, "{name} has no corpus");
        target(&[]);
    }
}
