//! Pages whose text is written by scripts, rendered by an installed Chromium behind a proxy of
//! ours.

mod chromium;
mod proxy;
mod rendering;

pub use chromium::Browser;
pub use proxy::Proxy;
pub(super) use rendering::{has_scripts, render_if_bare};
