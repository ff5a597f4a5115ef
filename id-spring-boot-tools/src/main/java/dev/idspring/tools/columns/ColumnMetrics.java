package dev.idspring.tools.columns;

import java.util.List;

import dev.idspring.tools.columns.ColumnWatch.WatchedColumn;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of the watched columns. A scrape reports the results of the last read. It
 * also starts a new read in the background, if none has started within the last minute.
 *
 * @param watch watches the columns
 */
record ColumnMetrics(ColumnWatch watch) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		MultiGauge usedGauge = MultiGauge.builder("ids.columns.used")
			.description("Percentage of a key column's available numbers that has been used")
			.baseUnit("percent")
			.register(registry);
		Gauge.builder("ids.columns.low", this.watch, (watch) -> {
			List<WatchedColumn> columns = watch.lastState().columns();
			usedGauge.register(columns.stream()
				.filter((column) -> column.last() != null)
				.map((column) -> Row.of(Tags.of("table", column.table(), "column", column.column()),
						column.usedPercent()))
				.toList(), true);
			return columns.stream().filter(WatchedColumn::low).count();
		}).description("Key columns whose numbers are nearly used up").baseUnit("columns").register(registry);
	}

}
