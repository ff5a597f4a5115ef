package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import dev.idspring.DurationText;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Prevents two copies of this process from both issuing the ids that were in memory when
 * the process was copied.
 * <ol>
 * <li>Spring stops its lifecycle before a checkpoint (CRaC). This bean stops last, and
 * then discards the ids in memory. After that, a thread may still draw an id and thereby
 * reserve new ones. Therefore, when the lifecycle is restarted, this bean starts first
 * and discards the ids in memory again. A context that closes does not discard the ids,
 * because its generators give them back to the store.</li>
 * <li>For a snapshot of a virtual machine, Spring stops nothing. When the snapshot is
 * restored, the wall clock jumps, but the monotonic clock does not. Therefore the two
 * clocks are compared once per second. If they have diverged by more than a second, the
 * ids in memory are discarded. An adjustment of the wall clock by more than a second has
 * the same effect. A time-based generator with a configured node number cannot claim its
 * node again until the lease has expired. It must wait about as long anyway: a copy may
 * have used all reserved times, which reach about one lease ahead.</li>
 * <li>Ids that are drawn before the divergence is detected may repeat. Afterwards, the
 * copies reserve different ids. Copies that own the same node or series are distinguished
 * by tokens in the store (see {@link dev.idspring.store.SlotOwner}).</li>
 * </ol>
 */
final class ProcessCopyGuard implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(ProcessCopyGuard.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	/**
	 * The longest time that reading both clocks may take. A longer reading is ignored,
	 * because a delay after reading the first clock looks like a divergence.
	 */
	private static final long MAX_READING_NANOS = 100_000_000;

	private static final Duration DROP_TIMEOUT = Duration.ofSeconds(8);

	private final ConfigurableApplicationContext context;

	private final TimeSource timeSource;

	private @Nullable ThreadPoolTaskScheduler scheduler;

	private volatile boolean running;

	private boolean stopped;

	/**
	 * How far the wall clock was ahead of the monotonic clock at the last comparison, in
	 * milliseconds.
	 */
	private long distance;

	ProcessCopyGuard(ConfigurableApplicationContext context, TimeSource timeSource) {
		this.context = context;
		this.timeSource = timeSource;
		this.distance = distance();
	}

	/**
	 * Return the lowest phase, so that this bean starts first and stops last.
	 */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

	/**
	 * Return {@code false}, so that {@link #stop()} is not called when Spring 7 pauses an
	 * unused test context. That is no checkpoint, so no copy of the process exists.
	 */
	// no @Override, because Spring 6 has no such method
	public boolean isPauseable() {
		return false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void start() {
		if (this.stopped) {
			dropMemoryOfAll();
		}
		this.distance = distance();
		if (this.timeSource.advancesByItself()) {
			this.scheduler = new ThreadPoolTaskScheduler();
			this.scheduler.setThreadNamePrefix("ids-clock-watch-");
			this.scheduler.setDaemon(true);
			this.scheduler.initialize();
			this.scheduler.scheduleWithFixedDelay(this::compareClocks, INTERVAL);
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		if (this.scheduler != null) {
			this.scheduler.shutdown();
		}
		if (!this.context.isClosed()) {
			this.stopped = true;
			dropMemoryOfAll();
		}
	}

	/**
	 * Discard the ids in memory if the clocks have diverged since the last call.
	 */
	void compareClocks() {
		long previousDistance = this.distance;
		long startNanos = this.timeSource.nanoTime();
		this.distance = distance();
		if (this.timeSource.nanoTime() - startNanos > MAX_READING_NANOS) {
			this.distance = previousDistance;
			return;
		}
		Duration divergence = Duration.ofMillis(this.distance - previousDistance).abs();
		if (divergence.compareTo(TOLERANCE) > 0) {
			logger.warn("The wall clock has moved by " + DurationText.rounded(divergence)
					+ " relative to the monotonic clock. This process may be a copy (a clone, or a virtual machine that"
					+ " was restored from a snapshot). Therefore id generators discard the ids that they have"
					+ " reserved, and reserve others");
			dropMemoryOfAll();
		}
	}

	private long distance() {
		return this.timeSource.millis() - this.timeSource.nanoTime() / 1_000_000;
	}

	private void dropMemoryOfAll() {
		List<CompletableFuture<?>> drops = new ArrayList<>();
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		for (String name : beans.getBeanNamesForType(ManagedIdGenerator.class, false, false)) {
			// a generator that does not exist yet must not be created here
			if (beans.getSingleton(name) instanceof ManagedIdGenerator generator) {
				try {
					drops.add(generator.dropMemory());
				}
				catch (IllegalStateException | RejectedExecutionException ex) {
					// the generator is already closed, so it issues no more ids
				}
			}
		}
		StoreWorker.awaitAll(drops, DROP_TIMEOUT);
	}

}
