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
 * Computes the rates at which ids were issued in the last minute from the meter
 * {@code ids.issued}, which counts the ids that this instance has issued.
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
	 * Measure the rates since the last call. One thread calls this method every second.
	 * @return how many ids were issued so far and in the last minute, by the name of
	 * their generator
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
	 * @param perSecond the rates of the last minute, one per second, oldest first
	 */
	record IssuedCount(long total, List<Long> perSecond) {

		private IssuedCount next(long total, double seconds) {
			List<Long> rates = new ArrayList<>(this.perSecond.subList(1, SECONDS));
			rates.add(Math.round((total - this.total) / seconds));
			return new IssuedCount(total, rates);
		}

	}

}
