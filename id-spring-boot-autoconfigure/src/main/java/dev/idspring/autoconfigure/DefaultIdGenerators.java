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
import dev.idspring.InvalidSettingException;
import dev.idspring.ScopedIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All beans that are generators, by name.
 */
final class DefaultIdGenerators implements IdGenerators {

	private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

	private final Map<String, ScopedIdGenerator> scoped = new LinkedHashMap<>();

	DefaultIdGenerators(Iterable<IdGenerator> generators, Iterable<ScopedIdGenerator> scoped) {
		scoped.forEach((generator) -> add(this.scoped, generator.name(), generator));
		generators.forEach((generator) -> add(this.generators, generator.name(), generator));
	}

	private static <T> void add(Map<String, T> generators, String name, T generator) {
		if (generators.putIfAbsent(name, generator) != null) {
			throw new IdSetupException("There are two id generators named '" + name + "'.",
					"Give each IdGenerator bean a name() of its own.");
		}
	}

	@Override
	public IdGenerator get(String name) {
		verifyGiven(name, this.generators);
		IdGenerator generator = find(this.generators, name);
		if (generator == null) {
			throw new UnknownGeneratorException((find(this.scoped, name) != null)
					? "The numbers of id generator '" + name + "' have scopes: call scoped(\"" + name
							+ "\").in(...), or inject it as ScopedIdGenerator."
					: "There is no id generator '" + name + "'; known are " + this.generators.keySet()
							+ ". Generators are named under ids.generators.");
		}
		return generator;
	}

	@Override
	public ScopedIdGenerator scoped(String name) {
		verifyGiven(name, this.scoped);
		ScopedIdGenerator generator = find(this.scoped, name);
		if (generator == null) {
			throw new UnknownGeneratorException((find(this.generators, name) != null)
					? "The ids of id generator '" + name + "' have no scope: call get(\"" + name + "\"), or set"
							+ " ids.generators." + name + ".scoped to true."
					: "There is no id generator '" + name + "' whose numbers have scopes; known are "
							+ this.scoped.keySet() + ". Set ids.generators." + name + ".scoped to true.");
		}
		return generator;
	}

	private static void verifyGiven(@Nullable String name, Map<String, ?> known) {
		InvalidSettingException.require(name != null, IdGenerators.class, "name", name,
				"must be given; known are " + known.keySet());
	}

	/**
	 * Find a generator, as lenient as the binding of properties.
	 */
	private static <T> @Nullable T find(Map<String, T> generators, String name) {
		T generator = generators.get(name);
		if (generator != null) {
			return generator;
		}
		List<T> alike = generators.entrySet()
			.stream()
			.filter((known) -> GeneratorNames.uniform(known.getKey()).equals(GeneratorNames.uniform(name)))
			.map(Map.Entry::getValue)
			.toList();
		return (alike.size() == 1) ? alike.get(0) : null;
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
