//! A token bucket: `capacity` requests at once, `per_second` in the long run.

mod bucket;

pub use bucket::Bucket;
