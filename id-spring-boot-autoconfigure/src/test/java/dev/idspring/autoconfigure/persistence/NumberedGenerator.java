package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;

/**
 * A generator that issues consecutive numbers, and records the threads that draw them.
 */
final class NumberedGenerator implements IdGenerator {

	private final String name;

	private final AtomicLong next;

	private final List<Thread> drawingThreads = new CopyOnWriteArrayList<>();

	private volatile Runnable beforeNext = () -> {
	};

	NumberedGenerator(String name, long first) {
		this.name = name;
		this.next = new AtomicLong(first);
	}

	/**
	 * Set an action that runs before each draw, on the calling thread.
	 */
	void beforeNext(Runnable beforeNext) {
		this.beforeNext = beforeNext;
	}

	List<Thread> drawingThreads() {
		return this.drawingThreads;
	}

	/**
	 * Return the next id without drawing it.
	 */
	long peek() {
		return this.next.get();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public long nextLong() {
		this.drawingThreads.add(Thread.currentThread());
		this.beforeNext.run();
		return this.next.getAndIncrement();
	}

	@Override
	public void nextLongs(long[] into) {
		throw new UnsupportedOperationException();
	}

	@Override
	public String format(long id) {
		return this.name + "-" + id;
	}

	@Override
	public long parse(String text) {
		throw new UnsupportedOperationException();
	}

	@Override
	public UUID toUuid(long id) {
		return new UUID(0, id);
	}

	@Override
	public long fromUuid(UUID uuid) {
		return uuid.getLeastSignificantBits();
	}

	@Override
	public IdDescription describe(long id) {
		throw new UnsupportedOperationException();
	}

}
