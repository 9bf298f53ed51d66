//! `titledex-bindgen MODULE.wasm FOLDER` writes `module.js` and `module_bg.wasm`, as
//! `wasm-bindgen --target web` would.
//!
//! The command `wasm-bindgen-cli` compiles a web server, a client and TLS for its test runner; this
//! compiles a third of it.

use std::env;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: titledex-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("module")
        .typescript(false)
        .omit_default_module_path(true)
        // Names of functions are a tenth of the module, and nothing reads them.
        .remove_name_section(true)
        .remove_producers_section(true);
    match bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("titledex-bindgen: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
