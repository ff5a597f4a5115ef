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
 * <li>Before a checkpoint (CRaC), Spring stops all lifecycle beans. This bean stops last,
 * and discards the ids in memory. If a thread draws an id after that, the generator
 * reserves new ids. Therefore, when Spring restarts the lifecycle beans, this bean starts
 * first and discards the ids in memory again. If the context closes, this bean discards
 * nothing, because the generators give unused ids back to the store.</li>
 * <li>Before a snapshot of a virtual machine, Spring stops nothing. When the snapshot is
 * restored, the wall clock jumps, but the monotonic clock does not. Therefore this bean
 * compares the two clocks once per second. If they have diverged by more than a second
 * since the last comparison, this bean discards the ids in memory. An adjustment of the
 * wall clock by more than a second has the same effect. A time-based generator with a
 * configured node number then cannot claim its node again until the lease has expired.
 * Even without a lease, the generator would have to wait about as long: a copy may have
 * used all reserved times, which reach about one lease ahead.</li>
 * <li>Ids that are drawn before the divergence is detected may repeat. Afterwards, the
 * copies reserve different ids. Tokens in the store distinguish copies that own the same
 * node or series (see {@link dev.idspring.store.SlotOwner}). Without a store, copies with
 * the same node number may continue to repeat ids.</li>
 * </ol>
 */
final class ProcessCopyGuard implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(ProcessCopyGuard.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	/**
	 * The maximum time for reading both clocks. A slower comparison is ignored, because a
	 * delay between the two readings looks like a divergence.
	 */
	private static final long MAX_READING_NANOS = 100_000_000;

	private static final Duration DROP_TIMEOUT = Duration.ofSeconds(8);

	private final ConfigurableApplicationContext context;

	private final TimeSource timeSource;

	private @Nullable ThreadPoolTaskScheduler scheduler;

	private volatile boolean running;

	private boolean stopped;

	/**
	 * The wall clock minus the monotonic clock at the last comparison, in milliseconds.
	 */
	private long clockDifference;

	ProcessCopyGuard(ConfigurableApplicationContext context, TimeSource timeSource) {
		this.context = context;
		this.timeSource = timeSource;
		this.clockDifference = clockDifference();
	}

	/**
	 * Return the lowest phase, so that this bean starts first and stops last.
	 */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

	/**
	 * Return {@code false}, so that Spring 7 does not call {@link #stop()} when it pauses
	 * an unused test context. Such a pause creates no copy of the process.
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
			dropMemoryOfGenerators();
		}
		this.clockDifference = clockDifference();
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
			dropMemoryOfGenerators();
		}
	}

	/**
	 * Discard the ids in memory if the clocks have diverged by more than
	 * {@link #TOLERANCE} since the last comparison.
	 */
	void compareClocks() {
		long previousDifference = this.clockDifference;
		long startNanos = this.timeSource.nanoTime();
		this.clockDifference = clockDifference();
		if (this.timeSource.nanoTime() - startNanos > MAX_READING_NANOS) {
			this.clockDifference = previousDifference;
			return;
		}
		Duration divergence = Duration.ofMillis(this.clockDifference - previousDifference).abs();
		if (divergence.compareTo(TOLERANCE) > 0) {
			logger.warn("The wall clock has moved by " + DurationText.rounded(divergence)
					+ " relative to the monotonic clock. This process may be a copy (a clone, or a virtual machine that"
					+ " was restored from a snapshot). Therefore the id generators discard their reserved ids and"
					+ " reserve new ones");
			dropMemoryOfGenerators();
		}
	}

	private long clockDifference() {
		return this.timeSource.millis() - this.timeSource.nanoTime() / 1_000_000;
	}

	private void dropMemoryOfGenerators() {
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
