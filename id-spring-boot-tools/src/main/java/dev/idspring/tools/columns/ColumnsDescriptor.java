package dev.idspring.tools.columns;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.tools.columns.ColumnWatch.WatchedColumn;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The watched key columns, as the {@code ids} endpoint shows them.
 *
 * @param database the database product
 * @param readAt when the columns were last read successfully, or {@code null} if they
 * have not been read yet
 * @param error why the last read failed, or that no read has been completed yet;
 * {@code null} if the last read succeeded
 * @param columns the columns
 * @param findings the problems
 * @param notes the possible problems, which the database neither confirms nor excludes
 * @param notRead the parts that could not be read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ColumnsDescriptor(String database, @Nullable Instant readAt, @Nullable String error,
		List<ColumnDescriptor> columns, List<Finding> findings, List<Finding> notes,
		List<String> notRead) implements OperationResponseBody {

	static ColumnsDescriptor of(ColumnWatch.ColumnsState state) {
		return new ColumnsDescriptor(state.database(), state.readAt(), state.error(),
				state.columns().stream().map(ColumnDescriptor::of).toList(), state.findings(), state.notes(),
				state.notRead());
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
	 * @param last the last number that both the type and the sequence allow
	 * @param used the furthest number in use, according to the index and the sequence;
	 * the sequence counts only if the column is known to use it
	 * @param usedPercent the percentage of the numbers that is used
	 * @param rows the number of rows according to the statistics of the database
	 * @param numbering the sequence or identity from which the column gets its numbers
	 * @param relation how it is known that the column uses this numbering
	 * @param idsPerSecond the number of ids used per second since this instance started
	 * to watch
	 * @param exhaustedAt when the numbers will be used up at this rate
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record ColumnDescriptor(@Nullable String schema, String table, String column, String type, String status,
			@Nullable BigInteger last, @Nullable BigInteger used, double usedPercent, @Nullable Long rows,
			@Nullable Numbering numbering, @Nullable Relation relation, @Nullable Double idsPerSecond,
			@Nullable Instant exhaustedAt) {

		static ColumnDescriptor of(WatchedColumn watched) {
			KeyColumn column = watched.column();
			KeySpaceSnapshot numbers = watched.numbers();
			return new ColumnDescriptor(column.schema(), column.table(), column.column(), column.type(),
					watched.low() ? "LOW" : "UP", column.last(), (numbers != null) ? column.used() : null,
					Doctor.usedPercent(column), column.rows(), column.numbering(), column.relation(),
					(numbers != null) ? numbers.idsPerSecond() : null,
					(numbers != null) ? numbers.exhaustedAt() : null);
		}

	}

}
