package dev.idspring.integration.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.DisposableBean;

/**
 * Records the results when beans save during their destruction.
 */
class LastSaves {

	private final List<String> planned = new ArrayList<>();

	private final Map<String, Object> saved = new ConcurrentHashMap<>();

	/**
	 * Return a bean that saves an entity, or draws an id, when it is destroyed.
	 */
	DisposableBean by(String name, Save save) {
		this.planned.add(name);
		return () -> save(name, save);
	}

	void save(String name, Save save) {
		try {
			this.saved.put(name, save.save());
		}
		catch (Throwable ex) {
			this.saved.put(name, ex);
		}
	}

	List<String> planned() {
		return this.planned;
	}

	/**
	 * Return the ids that were saved or drawn, or the exceptions of failures, by name.
	 */
	Map<String, Object> saved() {
		return this.saved;
	}

	@FunctionalInterface
	interface Save {

		Object save() throws Exception;

	}

}
