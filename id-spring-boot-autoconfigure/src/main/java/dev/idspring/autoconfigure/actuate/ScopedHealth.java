package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ScopedSnapshot;

/**
 * Determines the health of a scoped generator. The health is up unless the generator is
 * closed or the last attempt to read the number of scopes from the store failed.
 *
 * @param generator the generator
 */
record ScopedHealth(ManagedScopedIdGenerator generator) implements Supplier<IdHealth> {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	@Override
	public IdHealth get() {
		this.generator.refresh(REFRESH_TIMEOUT).join();
		ScopedSnapshot snapshot = this.generator.snapshot();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("generator", snapshot.status());
		details.put("strategy", snapshot.strategy());
		details.put("keySpace", snapshot.keySpace());
		details.put("scopes", snapshot.scopes());
		details.put("maxScopes", snapshot.maxScopes());
		if (snapshot.storeFailure() != null) {
			details.put("error", snapshot.storeFailure());
		}
		return new IdHealth(snapshot.status() == GeneratorStatus.UP, details);
	}

}
