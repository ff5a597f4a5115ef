package dev.idspring.integration.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.DisposableBean;

/**
 * Records the results when beans save entities or draw ids during their destruction.
 */
class LastSaves {

	private final List<String> registeredNames = new ArrayList<>();

	private final Map<String, Object> results = new ConcurrentHashMap<>();

	/**
	 * Return a bean that saves an entity, or draws an id, when it is destroyed.
	 */
	DisposableBean onDestruction(String name, Save save) {
		this.registeredNames.add(name);
		return () -> save(name, save);
	}

	void save(String name, Save save) {
		try {
			this.results.put(name, save.save());
		}
		catch (Throwable ex) {
			this.results.put(name, ex);
		}
	}

	List<String> registeredNames() {
		return this.registeredNames;
	}

	/**
	 * Return the ids that were saved or drawn, or the exceptions of failures, by name.
	 */
	Map<String, Object> results() {
		return this.results;
	}

	@FunctionalInterface
	interface Save {

		Object save() throws Exception;

	}

}
