package dev.idspring.tools.columns;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Watches the key columns of all tables in the application's schema: the used share of
 * their numbers, the rate of use, and problems.
 * <p>
 * A background thread reads the columns on request, at most once per minute. Rates cover
 * only the time since this instance started, because they are not stored.
 */
final class ColumnWatch implements AutoCloseable {

	private static final Duration READ_INTERVAL = Duration.ofMinutes(1);

	private static final BigInteger MAX_CAPACITY = BigInteger.valueOf(Long.MAX_VALUE);

	private final DataSource dataSource;

	private final Doctor doctor;

	private final List<AllocationSource> allocationSources;

	private final Set<String> storeTables;

	private final TimeSource timeSource;

	private final StoreThread executor = new StoreThread("columns");

	private final CoalescedRead reads = new CoalescedRead(this.executor, this::read);

	private final Map<String, ReservationForecast> forecasts = new ConcurrentHashMap<>();

	private final AtomicLong nextRead;

	private volatile ColumnsState lastState = new ColumnsState("", null, "The columns have not been read yet.",
			List.of(), List.of(), List.of(), List.of());

	/**
	 * Create a watch, without any I/O.
	 * @param dataSource connects to the database of the tables
	 * @param doctor reports problems
	 * @param allocationSources determine how Hibernate allocates keys from sequences
	 * @param storeTables the tables of the id store, which are not watched
	 * @param timeSource the clock
	 */
	public ColumnWatch(DataSource dataSource, Doctor doctor, List<AllocationSource> allocationSources,
			Set<String> storeTables, TimeSource timeSource) {
		this.dataSource = dataSource;
		this.doctor = doctor;
		this.allocationSources = List.copyOf(allocationSources);
		this.storeTables = Set.copyOf(storeTables);
		this.timeSource = timeSource;
		this.nextRead = new AtomicLong(timeSource.nanoTime());
	}

	/**
	 * Return the last known state. Also start a read in the background, if none has
	 * started within the last minute.
	 * @return the last known state
	 */
	public ColumnsState lastState() {
		readIfDue(READ_INTERVAL, false);
		return this.lastState;
	}

	/**
	 * Read the columns, and wait for the result. If a read has started within the last
	 * minute, do not read.
	 * @param timeout how long to wait for the database
	 * @return the last known state
	 */
	public ColumnsState read(Duration timeout) {
		readIfDue(timeout, true);
		return this.lastState;
	}

	private void readIfDue(Duration timeout, boolean wait) {
		long now = this.timeSource.nanoTime();
		long due = this.nextRead.get();
		if (now - due < 0 || !this.nextRead.compareAndSet(due, now + READ_INTERVAL.toNanos())) {
			return;
		}
		var answer = this.reads.readWithTimeout(Deadline.after(this.timeSource, timeout))
			.handle((answered, failure) -> {
				if (failure instanceof TimeoutException) {
					this.lastState = this.lastState.failed("The database did not answer in time.");
				}
				return true;
			});
		if (wait) {
			answer.join();
		}
	}

	private void read(Deadline deadline) {
		try {
			KeyColumns keys = KeyColumns.read(this.dataSource, deadline.remaining(), this.storeTables, (done, all) -> {
			});
			List<Allocation> allocations = this.allocationSources.stream()
				.flatMap((one) -> one.read().stream())
				.toList();
			List<Finding> findings = this.doctor.examine(keys, allocations);
			List<WatchedColumn> columns = new ArrayList<>();
			keys.columns().forEach((column) -> columns.add(watchedColumn(column, deadline)));
			keys.numbered().forEach((column) -> columns.add(watchedColumn(column, deadline)));
			this.lastState = new ColumnsState(keys.database(), this.timeSource.instant(), null, columns, findings,
					this.doctor.notes(keys, allocations), keys.notRead());
		}
		catch (RuntimeException ex) {
			this.lastState = this.lastState.failed(String.valueOf(ex.getMessage()));
		}
	}

	private WatchedColumn watchedColumn(KeyColumn column, Deadline deadline) {
		BigInteger last = column.last();
		if (last == null) {
			return new WatchedColumn(column, null, false);
		}
		BigInteger capacity = last.subtract(column.origin()).abs();
		BigInteger used = column.used().subtract(column.origin()).abs().min(capacity);
		// the forecast counts longs, but the numbers of NUMERIC columns may be greater
		int shift = Math.max(0, used.bitLength() - (Long.SIZE - 2));
		long counted = used.shiftRight(shift).longValue();
		ReservationForecast forecast = this.forecasts.computeIfAbsent(column.name() + ">>" + shift,
				(key) -> new ReservationForecast(column.name(), null, this.timeSource));
		forecast.observe(counted);
		if (forecast.isSampleDue()) {
			forecast.addSample(counted, deadline);
		}
		KeySpaceSnapshot projection = forecast.snapshot(capacity.shiftRight(shift).min(MAX_CAPACITY).longValue(),
				counted);
		@Nullable Double rate = projection.idsPerSecond();
		KeySpaceSnapshot snapshot = new KeySpaceSnapshot(column.name(), capacity, used,
				(rate != null) ? Math.scalb(rate, shift) : null, projection.exhaustedAt(), projection.soonestEnd(),
				null);
		return new WatchedColumn(column, snapshot, this.doctor.low().isReached(snapshot, this.timeSource.instant()));
	}

	@Override
	public void close() {
		this.executor.close();
	}

	/**
	 * Determines how Hibernate allocates keys from sequences.
	 */
	@FunctionalInterface
	public interface AllocationSource {

		/**
		 * Return how keys are allocated.
		 * @return the sequences with their {@code allocationSize}
		 */
		List<Allocation> read();

	}

	/**
	 * The last known state of the columns.
	 *
	 * @param database the database product
	 * @param readAt when the columns were last read successfully, or {@code null} if they
	 * have not been read yet
	 * @param error why the last read failed, or that the columns have not been read yet;
	 * {@code null} if the last read succeeded
	 * @param columns the columns
	 * @param findings the problems
	 * @param notes possible problems, which the database cannot confirm
	 * @param notRead the parts that could not be read
	 */
	public record ColumnsState(String database, @Nullable Instant readAt, @Nullable String error,
			List<WatchedColumn> columns, List<Finding> findings, List<Finding> notes, List<String> notRead) {

		ColumnsState failed(String error) {
			return new ColumnsState(this.database, this.readAt, error, this.columns, this.findings, this.notes,
					this.notRead);
		}

		/**
		 * Return the columns whose numbers are nearly used up.
		 * @return the names of the columns
		 */
		public List<String> lowColumns() {
			return this.columns.stream().filter(WatchedColumn::low).map((column) -> column.column().name()).toList();
		}

	}

	/**
	 * A watched column.
	 *
	 * @param column the column as the database describes it
	 * @param numbers the use of its numbers, or {@code null} if it does not hold whole
	 * numbers
	 * @param low whether its numbers are nearly used up
	 */
	public record WatchedColumn(KeyColumn column, @Nullable KeySpaceSnapshot numbers, boolean low) {

	}

}
