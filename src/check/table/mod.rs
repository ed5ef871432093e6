//! Tables beside a claim: whether a row that has the words of the claim is the one that it is
//! about, and what its cells say for it or against it.

mod conflict;
mod editions;
mod measures;
mod mismatch;
mod record;
mod row;
#[cfg(test)]
mod tests;
mod trends;

pub(super) use conflict::conflict;
pub(super) use editions::{remark, tells_of_past};
pub(super) use measures::record as measured_record;
pub(super) use mismatch::{mismatch, states};
pub(super) use record::{plain_record, record};
pub(super) use row::Row;
pub(super) use trends::{Trend, trend};
