package dev.idspring.sample.overview;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/**
 * Computes how many ids per second each generator of this instance issued in the last
 * minute. The meter {@code ids.issued} provides the number of ids issued so far.
 */
@Component
class Rates {

	private static final int SECONDS = 60;

	private final MeterRegistry meters;

	private final Map<String, IssuedCount> issued = new TreeMap<>();

	private long measuredAt = System.nanoTime();

	Rates(MeterRegistry meters) {
		this.meters = meters;
	}

	/**
	 * Measure the rates since the last call. This method is not thread-safe:
	 * {@link LiveUpdates} calls it about once per second, one call at a time.
	 * @return how many ids were issued so far and in the last minute, by generator name
	 */
	Map<String, IssuedCount> measure() {
		long now = System.nanoTime();
		double seconds = (now - this.measuredAt) / 1e9;
		this.measuredAt = now;
		this.meters.find("ids.issued").functionCounters().forEach((counter) -> {
			long total = (long) counter.count();
			this.issued.merge(Objects.requireNonNull(counter.getId().getTag("generator")),
					new IssuedCount(total, Collections.nCopies(SECONDS, 0L)),
					(previous, initial) -> previous.next(total, seconds));
		});
		return this.issued;
	}

	/**
	 * How many ids a generator has issued.
	 *
	 * @param total the number of ids since the start of the application
	 * @param perSecond the ids per second in each second of the last minute, oldest first
	 */
	record IssuedCount(long total, List<Long> perSecond) {

		private IssuedCount next(long total, double seconds) {
			List<Long> rates = new ArrayList<>(this.perSecond.subList(1, SECONDS));
			rates.add(Math.round((total - this.total) / seconds));
			return new IssuedCount(total, rates);
		}

	}

}
