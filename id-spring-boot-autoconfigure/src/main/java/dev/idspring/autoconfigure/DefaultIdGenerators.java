package dev.idspring.autoconfigure;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;

/**
 * All beans that are generators, by name.
 */
final class DefaultIdGenerators implements IdGenerators {

	private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

	DefaultIdGenerators(Iterable<IdGenerator> generators) {
		for (IdGenerator generator : generators) {
			if (this.generators.putIfAbsent(generator.name(), generator) != null) {
				throw new IdSetupException("There are two id generators named '" + generator.name() + "'.",
						"Give each IdGenerator bean a name() of its own.");
			}
		}
	}

	@Override
	public IdGenerator get(String name) {
		IdGenerator generator = this.generators.get(name);
		if (generator == null) {
			// as lenient as the binding of properties
			List<IdGenerator> alike = this.generators.values()
				.stream()
				.filter((known) -> GeneratorNames.uniform(known.name()).equals(GeneratorNames.uniform(name)))
				.toList();
			if (alike.size() == 1) {
				return alike.get(0);
			}
			throw new UnknownGeneratorException("There is no id generator '" + name + "'; known are "
					+ this.generators.keySet() + ". Generators are named under ids.generators.");
		}
		return generator;
	}

	@Override
	public Set<String> names() {
		return Collections.unmodifiableSet(this.generators.keySet());
	}

	@Override
	public Iterator<IdGenerator> iterator() {
		return Collections.unmodifiableCollection(this.generators.values()).iterator();
	}

	/**
	 * There is no generator of a name.
	 */
	static final class UnknownGeneratorException extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		private UnknownGeneratorException(String message) {
			super(message);
		}

		/**
		 * Return which method asked for the generator.
		 */
		StackTraceElement caller() {
			return getStackTrace()[1];
		}

	}

}
