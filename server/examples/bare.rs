//! parse-title with nothing around it: no key, no credits, no headers, no log. `scripts/load`
//! measures it beside the service.
//!
//! ```text
//! cargo run --release -p titledex-server --example bare -- 127.0.0.1:8081
//! ```

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use std::sync::Arc;
use titledex_server::catalogue::Reader;
use titledex_server::routes::parse_title;
use titledex_server::routes::titles::{self, Asked, OneTitle};
use tower::ServiceExt;

async fn answer(State(reader): State<Arc<Reader>>, body: Bytes) -> Response {
    match titles::read(&body) {
        Ok(Asked::One(OneTitle { title, options })) => (
            [(header::CONTENT_TYPE, "application/json")],
            parse_title::one(&reader.now(), &title, &options),
        )
            .into_response(),
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listen = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8081".to_owned());
    let router = Router::new()
        .route("/api/v2/parse-title", post(answer))
        .with_state(Arc::new(Reader::open(None, &[])?));
    let listener = tokio::net::TcpListener::bind(listen).await?;
    println!("listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let router = router.clone();
        let service = hyper::service::service_fn(
            move |request: axum::http::Request<hyper::body::Incoming>| {
                router.clone().oneshot(request.map(Body::new))
            },
        );
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(hyper_util::rt::TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}
