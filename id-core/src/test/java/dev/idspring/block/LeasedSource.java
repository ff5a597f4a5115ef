package dev.idspring.block;

import java.time.Duration;
import java.util.List;

import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;

/**
 * A counter with a lease that must be renewed. A test can make its methods fail.
 */
final class LeasedSource implements BlockSource {

	SharedCounter counter;

	int renewals;

	boolean nextCountFails;

	boolean isUsedUpFails;

	RuntimeException renewalFailure;

	@Override
	public boolean isUsedUp() {
		if (this.isUsedUpFails) {
			throw new OutOfMemoryError("injected");
		}
		return BlockSource.super.isUsedUp();
	}

	@Override
	public long nextCount(long size, long inMemory) {
		if (this.nextCountFails) {
			throw new OutOfMemoryError("injected");
		}
		return size;
	}

	@Override
	public OrdinalRange reserve(long count, Deadline deadline) {
		return this.counter.reserve(count, deadline);
	}

	@Override
	public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
		return this.counter.giveBack(unused, deadline);
	}

	@Override
	public long remaining() {
		return this.counter.remaining();
	}

	@Override
	public Duration renewalInterval() {
		return Duration.ofSeconds(10);
	}

	@Override
	public void renew(Deadline deadline) {
		this.renewals++;
		if (this.renewalFailure != null) {
			throw this.renewalFailure;
		}
	}

}
