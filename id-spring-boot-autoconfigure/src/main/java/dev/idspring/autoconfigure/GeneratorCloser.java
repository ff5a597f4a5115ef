package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.TimeSource;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Closes all generators of a context under one deadline. Spring destroys them one after
 * the other, each when nothing depends on it any more, and each would wait for its store
 * as long as a caller does. Once the deadline has passed, the others begin to give back
 * as well, but nothing waits for them.
 */
final class GeneratorCloser implements DestructionAwareBeanPostProcessor {

	private final TimeSource clock = TimeSource.system();

	private final Duration timeout;

	private long end;

	private boolean begun;

	GeneratorCloser() {
		this(Duration.ofSeconds(8));
	}

	GeneratorCloser(Duration timeout) {
		this.timeout = timeout;
	}

	@Override
	public void postProcessBeforeDestruction(Object bean, String beanName) {
		if (bean instanceof ManagedIdGenerator generator) {
			StoreWorker.awaitAll(List.of(generator.beginClose()), remaining());
		}
	}

	@Override
	public boolean requiresDestruction(Object bean) {
		return bean instanceof ManagedIdGenerator;
	}

	private Duration remaining() {
		long now = this.clock.nanoTime();
		if (!this.begun) {
			this.begun = true;
			this.end = now + this.timeout.toNanos();
		}
		return Duration.ofNanos(Math.max(0, this.end - now));
	}

}
