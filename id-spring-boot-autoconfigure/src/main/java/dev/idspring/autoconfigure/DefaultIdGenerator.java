package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import jakarta.annotation.Priority;

/**
 * The default generator, which is injected wherever nothing says which one is meant.
 * <p>
 * It is preferred by {@link Priority @Priority} rather than by being marked as primary: a
 * primary bean also wins where the name of a parameter says that another one is meant, so
 * that {@code IdGenerator ordersIdGenerator} would get the default generator. Spring
 * looks at names before it looks at priorities.
 */
@Priority(0)
final class DefaultIdGenerator implements ManagedIdGenerator {

	private final ManagedIdGenerator delegate;

	DefaultIdGenerator(ManagedIdGenerator delegate) {
		this.delegate = delegate;
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public long nextLong() {
		return this.delegate.nextLong();
	}

	@Override
	public String nextString() {
		return this.delegate.nextString();
	}

	@Override
	public long[] nextLongs(int count) {
		return this.delegate.nextLongs(count);
	}

	@Override
	public void nextLongs(long[] into) {
		this.delegate.nextLongs(into);
	}

	@Override
	public List<String> nextStrings(int count) {
		return this.delegate.nextStrings(count);
	}

	@Override
	public String format(long id) {
		return this.delegate.format(id);
	}

	@Override
	public long parse(String text) {
		return this.delegate.parse(text);
	}

	@Override
	public IdDescription describe(long id) {
		return this.delegate.describe(id);
	}

	@Override
	public IdDescription describe(long id, Duration timeout) {
		return this.delegate.describe(id, timeout);
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.delegate.refresh(timeout);
	}

	@Override
	public GeneratorSnapshot snapshot() {
		return this.delegate.snapshot();
	}

	@Override
	public CompletableFuture<?> beginClose() {
		return this.delegate.beginClose();
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		return this.delegate.dropMemory();
	}

	@Override
	public void close() {
		this.delegate.close();
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
