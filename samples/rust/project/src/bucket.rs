/// Times are milliseconds on the caller's clock; tokens are counted in thousandths.
#[derive(Debug, Clone)]
pub struct Bucket {
    capacity: u64,
    per_second: u64,
    tokens: u64,
    last: u64,
}

const TOKEN: u64 = 1000;

impl Bucket {
    pub fn new(capacity: u64, per_second: u64) -> Self {
        Bucket { capacity: capacity * TOKEN, per_second, tokens: capacity * TOKEN, last: 0 }
    }

    /// Takes one token at time `now`; false when there is none.
    pub fn take(&mut self, now: u64) -> bool {
        self.refill(now);
        if self.tokens < TOKEN {
            return false;
        }
        self.tokens -= TOKEN;
        true
    }

    fn refill(&mut self, now: u64) {
        let passed = now.saturating_sub(self.last);
        self.tokens += passed * self.per_second;
        self.last = self.last.max(now);
    }
}
