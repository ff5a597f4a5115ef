package dev.idspring.autoconfigure.persistence;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.annotation.GeneratedIds;

/**
 * The generators that a test passes to the constructor, by name.
 */
final class TestGenerators implements IdGenerators {

	static final GeneratedIds.Check NO_CHECK = (generator, property) -> {
	};

	private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

	TestGenerators(IdGenerator... generators) {
		for (IdGenerator generator : generators) {
			this.generators.put(generator.name(), generator);
		}
	}

	@Override
	public IdGenerator get(String name) {
		IdGenerator generator = this.generators.get(name);
		if (generator == null) {
			throw new IllegalArgumentException(
					"There is no id generator '" + name + "'; known: " + String.join(", ", names()) + ".");
		}
		return generator;
	}

	@Override
	public ScopedIdGenerator scoped(String name) {
		throw new IllegalArgumentException("There is no scoped id generator '" + name + "'.");
	}

	@Override
	public Set<String> names() {
		return this.generators.keySet();
	}

	@Override
	public Iterator<IdGenerator> iterator() {
		return this.generators.values().iterator();
	}

}
