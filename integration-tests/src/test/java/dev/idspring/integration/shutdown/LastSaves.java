package dev.idspring.integration.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.DisposableBean;

/**
 * What beans saved when they were destroyed.
 */
class LastSaves {

	private final List<String> planned = new ArrayList<>();

	private final Map<String, Object> saved = new ConcurrentHashMap<>();

	/**
	 * Return a bean that saves when it is destroyed.
	 */
	DisposableBean by(String way, Save save) {
		this.planned.add(way);
		return () -> save(way, save);
	}

	void save(String way, Save save) {
		try {
			this.saved.put(way, save.save());
		}
		catch (Throwable ex) {
			this.saved.put(way, ex);
		}
	}

	List<String> planned() {
		return this.planned;
	}

	/**
	 * Return the ids that were saved, or why there is none.
	 */
	Map<String, Object> saved() {
		return this.saved;
	}

	@FunctionalInterface
	interface Save {

		Object save() throws Exception;

	}

}
