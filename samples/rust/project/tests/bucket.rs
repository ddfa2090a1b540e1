use throttle::Bucket;

fn taken(bucket: &mut Bucket, now: u64) -> usize {
    (0..100).filter(|_| bucket.take(now)).count()
}

#[test]
fn a_full_bucket_serves_its_capacity_at_once() {
    assert_eq!(taken(&mut Bucket::new(5, 2), 0), 5);
}

#[test]
fn tokens_come_back_with_time() {
    let mut bucket = Bucket::new(5, 2);
    taken(&mut bucket, 0);
    assert_eq!(taken(&mut bucket, 1_500), 3);
}

#[test]
fn a_quiet_hour_earns_no_more_than_the_capacity() {
    let mut bucket = Bucket::new(5, 2);
    assert_eq!(taken(&mut bucket, 3_600_000), 5);
}

#[test]
fn a_clock_that_goes_back_gives_nothing() {
    let mut bucket = Bucket::new(1, 1);
    taken(&mut bucket, 5_000);
    assert_eq!(taken(&mut bucket, 4_000), 0);
}
