package dev.idspring.tools.columns;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Watches the key columns of all tables in the application's schema: the percentage of
 * used numbers, the rate of use, and problems.
 * <p>
 * A background thread reads the columns on request, at most once per minute. The results
 * are not stored, so rates cover only the time since this instance started.
 */
final class ColumnWatch implements AutoCloseable {

	private static final Duration READ_INTERVAL = Duration.ofMinutes(1);

	private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

	private final DataSource dataSource;

	private final Doctor doctor;

	private final List<AllocationSource> allocationSources;

	private final String tablePrefix;

	private final TimeSource timeSource;

	private final StoreThread executor = new StoreThread("columns");

	private final CoalescedRead reads = new CoalescedRead(this.executor, this::read);

	private final Map<String, Forecast> forecasts = new ConcurrentHashMap<>();

	private final AtomicLong nextRead;

	private volatile ColumnsState lastState = new ColumnsState("", null, "The columns have not been read yet.",
			List.of(), List.of(), List.of(), List.of());

	/**
	 * Create a watch, without any I/O.
	 * @param dataSource connects to the database of the tables
	 * @param doctor finds problems
	 * @param allocationSources determine how Hibernate allocates keys from sequences
	 * @param tablePrefix the prefix of the id store's tables, which are not watched
	 * @param timeSource the clock
	 */
	public ColumnWatch(DataSource dataSource, Doctor doctor, List<AllocationSource> allocationSources,
			String tablePrefix, TimeSource timeSource) {
		this.dataSource = dataSource;
		this.doctor = doctor;
		this.allocationSources = List.copyOf(allocationSources);
		this.tablePrefix = tablePrefix;
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
	 * minute, return at once.
	 * @param timeout the maximum time to wait
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
			KeyColumns keys = KeyColumns.read(this.dataSource, deadline.remaining(), this.tablePrefix, (done, all) -> {
			});
			List<Allocation> allocations = this.allocationSources.stream()
				.flatMap((one) -> one.read().stream())
				.toList();
			List<Finding> findings = this.doctor.examine(keys, allocations);
			List<WatchedColumn> columns = Stream.concat(keys.columns().stream(), keys.numbered().stream())
				.map((column) -> watchedColumn(column, keys.scattered(column).isPresent(), deadline))
				.toList();
			Stream<String> unknownSequences = allocations.stream()
				.filter((one) -> keys.sequenceOf(one).isEmpty())
				.map((one) -> "the sequence " + one.sequence() + " of " + one.table()
						+ ": it is in another schema, or cannot be read");
			this.lastState = new ColumnsState(keys.database(), this.timeSource.instant(), null, columns, findings,
					this.doctor.notes(keys, allocations),
					Stream.concat(keys.notRead().stream(), unknownSequences).toList());
		}
		catch (RuntimeException ex) {
			this.lastState = this.lastState.failed(String.valueOf(ex.getMessage()));
		}
	}

	private WatchedColumn watchedColumn(KeyColumn column, boolean isScattered, Deadline deadline) {
		KeySpaceSnapshot numbers = numbers(column, deadline);
		boolean low = numbers != null && !isScattered
				&& this.doctor.low().isReached(numbers, this.timeSource.instant());
		return new WatchedColumn(column.schema(), column.table(), column.column(), column.type(), low ? "LOW" : "UP",
				column.last(), (numbers != null) ? column.used() : null, Doctor.usedPercent(column), column.rows(),
				column.numbering(), column.relation(), (numbers != null) ? numbers.idsPerSecond() : null,
				(numbers != null) ? numbers.exhaustedAt() : null);
	}

	private @Nullable KeySpaceSnapshot numbers(KeyColumn column, Deadline deadline) {
		BigInteger last = column.last();
		if (last == null) {
			return null;
		}
		BigInteger capacity = last.subtract(column.origin()).abs();
		BigInteger used = column.used().subtract(column.origin()).abs().min(capacity);
		Forecast forecast = this.forecasts.computeIfAbsent(column.name(),
				(name) -> new Forecast(used, new ReservationForecast(name, null, this.timeSource)));
		long counted = toLong(used.subtract(forecast.origin));
		forecast.numbers.observe(counted);
		if (forecast.numbers.isSampleDue()) {
			forecast.numbers.addSample(counted, deadline);
		}
		KeySpaceSnapshot projection = KeySpaceSnapshot.project(column.name(), toLong(capacity.subtract(used)), 0,
				forecast.numbers.rate(), this.timeSource.instant());
		return new KeySpaceSnapshot(column.name(), capacity, used, projection.idsPerSecond(), projection.exhaustedAt(),
				projection.soonestEnd(), null);
	}

	private static long toLong(BigInteger number) {
		return number.max(BigInteger.ZERO).min(MAX_LONG).longValue();
	}

	@Override
	public void close() {
		this.executor.close();
	}

	/**
	 * The forecast of a column. It counts the numbers used since the first read, because
	 * a {@code long} cannot hold the numbers of every column.
	 *
	 * @param origin the number of used numbers at the first read
	 * @param numbers the forecast
	 */
	private record Forecast(BigInteger origin, ReservationForecast numbers) {

	}

	/**
	 * Determines how Hibernate allocates keys from sequences.
	 */
	@FunctionalInterface
	public interface AllocationSource {

		/**
		 * Read how Hibernate uses sequences.
		 * @return the known allocations of entities that get their keys from a sequence
		 */
		List<Allocation> read();

	}

	/**
	 * The last known state of the columns, as the {@code ids} endpoint shows it.
	 *
	 * @param database the database product
	 * @param readAt when the columns were last read successfully, or {@code null} if no
	 * read has succeeded yet
	 * @param error why the last read failed, or that the columns have not been read yet;
	 * {@code null} if the last read succeeded
	 * @param columns the columns
	 * @param findings the problems
	 * @param notes possible problems that the database cannot confirm
	 * @param notRead the parts that could not be read
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record ColumnsState(String database, @Nullable Instant readAt, @Nullable String error,
			List<WatchedColumn> columns, List<Finding> findings, List<Finding> notes, List<String> notRead) {

		ColumnsState failed(String error) {
			return new ColumnsState(this.database, this.readAt, error, this.columns, this.findings, this.notes,
					this.notRead);
		}

	}

	/**
	 * A key column of a table.
	 *
	 * @param schema the name of the schema, or {@code null} if the database has no
	 * schemas
	 * @param table the name of the table
	 * @param column the name of the column
	 * @param type the name of the type
	 * @param status {@code LOW} if the numbers are nearly used up, otherwise {@code UP}
	 * @param last the last number that both the type and the sequence allow, or
	 * {@code null} if the column does not hold whole numbers
	 * @param used the last number in use, according to the index and the sequence, or
	 * {@code null} if {@code last} is {@code null}; the sequence is ignored unless the
	 * column is known to use it
	 * @param usedPercent the percentage of the numbers that are used
	 * @param rows the number of rows according to the statistics of the database
	 * @param numbering the sequence or identity from which the column gets its numbers
	 * @param relation how it is known that the column uses this numbering
	 * @param idsPerSecond how many ids are used per second, estimated from the reads of
	 * this instance, or {@code null} if not known yet
	 * @param exhaustedAt when the numbers will be used up at this rate
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record WatchedColumn(@Nullable String schema, String table, String column, String type, String status,
			@Nullable BigInteger last, @Nullable BigInteger used, double usedPercent, @Nullable Long rows,
			@Nullable Numbering numbering, @Nullable Relation relation, @Nullable Double idsPerSecond,
			@Nullable Instant exhaustedAt) {

		boolean low() {
			return this.status.equals("LOW");
		}

		String name() {
			return new QualifiedName(this.schema, this.table) + "." + this.column;
		}

	}

}
