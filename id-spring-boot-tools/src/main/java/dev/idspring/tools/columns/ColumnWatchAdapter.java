package dev.idspring.tools.columns;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.idspring.autoconfigure.actuate.WatchedColumns;
import dev.idspring.tools.columns.ColumnWatch.ColumnsState;
import dev.idspring.tools.columns.ColumnWatch.WatchedColumn;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Describes the watched columns for the endpoint and the health indicator.
 *
 * @param watch watches the columns
 */
record ColumnWatchAdapter(ColumnWatch watch) implements WatchedColumns {

	@Override
	@RegisterReflectionForBinding(Response.class)
	public OperationResponseBody describe(Duration timeout) {
		return new Response(this.watch.read(timeout));
	}

	@Override
	public Map<String, Object> healthDetails() {
		List<String> low = this.watch.lastState()
			.columns()
			.stream()
			.filter(WatchedColumn::low)
			.map(WatchedColumn::name)
			.toList();
		return Map.of("columns", low.isEmpty() ? "UP" : "LOW", "low", low);
	}

	/**
	 * The response of the endpoint.
	 */
	record Response(@JsonUnwrapped ColumnsState state) implements OperationResponseBody {

	}

}
