package dev.idspring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * A key space that is to go on where the keys of a table stand.
 *
 * @param generator the name of its generator
 * @param name its own name
 * @param keySpace its keys
 * @param properties what the properties begin with that say where it begins and ends
 * @param gapless whether its numbers are drawn in the caller's transaction
 * @since 0.1.0
 */
public record AdoptingKeySpace(String generator, String name, KeySpace keySpace, String properties, boolean gapless) {

	/**
	 * Find the key space of a generator. Asks no database.
	 * @param environment has the properties of the generators
	 * @param wanted the name of the generator as the operator wrote it
	 * @param option the option that says it
	 * @return the key space
	 * @throws IdSetupException if there is no such generator, or its keys do not go on
	 * one by one
	 */
	public static AdoptingKeySpace of(Environment environment, @Nullable String wanted, String option) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		String name = binder.known(wanted, option);
		GeneratorProperties properties = binder.bind(name);
		String strategy = binder.property(name, "strategy");
		if (properties.strategy() != Strategy.SEQUENTIAL) {
			throw new IdSetupException(
					strategy + " is " + properties.strategy().id() + ", whose ids do not go on where others stand.",
					"Set it to sequential. Public ids that tell nothing are a column of their own (--ids.command=backfill),"
							+ " or texts with a secret (ids.text.secret).",
					List.of(option.substring(0, option.lastIndexOf('.')), strategy), null);
		}
		return of(binder, name, properties);
	}

	/**
	 * Find the key space of a generator whose numbers a database can go on with. Asks no
	 * database.
	 * @param environment has the properties of the generators
	 * @param wanted the name of the generator as the operator wrote it
	 * @param option the option that says it
	 * @return the key space
	 * @throws IdSetupException if there is no such generator, or its keys are no numbers
	 * that rise one by one
	 */
	public static AdoptingKeySpace leaving(Environment environment, @Nullable String wanted, String option) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		String name = binder.known(wanted, option);
		GeneratorProperties properties = binder.bind(name);
		String strategy = binder.property(name, "strategy");
		boolean gapless = properties.strategy() == Strategy.GAPLESS;
		if (binder.isScoped(name) || (!gapless && properties.strategy() != Strategy.SEQUENTIAL)) {
			throw new IdSetupException(binder.isScoped(name)
					? "The numbers of generator '" + name + "' have scopes, which no sequence of a database has."
					: strategy + " is " + properties.strategy().id()
							+ ", whose ids are not numbers that rise one by one: no sequence goes on with them.",
					"Only sequential, and gapless without scopes, can be given back. Keep the generator for existing"
							+ " tables, or give the table a new key.",
					List.of(option.substring(0, option.lastIndexOf('.')), strategy), null);
		}
		return of(binder, name, properties);
	}

	private static AdoptingKeySpace of(GeneratorPropertiesBinder binder, String name, GeneratorProperties properties) {
		boolean gapless = properties.strategy() == Strategy.GAPLESS;
		GeneratorProperties.Numbers numbers = gapless ? properties.gapless() : properties.sequential();
		String keySpace = properties.keySpaceOf(name);
		try {
			KeySpaceSettings settings = gapless ? new GaplessSettings(numbers.start(), numbers.end())
					: new SequentialSettings(numbers.start(), numbers.end());
			return new AdoptingKeySpace(name, keySpace,
					settings.resolve(null).written(new TextProperties(binder, name).settings(), keySpace),
					GeneratorPropertiesBinder.own(name, properties.strategy().id()), gapless);
		}
		catch (InvalidSettingException ex) {
			throw binder.explain(name, properties.strategy(), ex);
		}
	}

	/**
	 * Return the generators that draw from the key space.
	 * @param environment has the properties of the generators
	 * @return the names of all of this application
	 */
	public List<String> generators(Environment environment) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		return Stream.concat(Stream.of(GeneratorPropertiesBinder.DEFAULT_NAME), binder.names().stream())
			.distinct()
			.filter((one) -> one.equals(this.generator) || binder.bind(one).keySpaceOf(one).equals(this.name))
			.sorted()
			.toList();
	}

	/**
	 * Return the first key.
	 * @return the key of ordinal 0
	 */
	public long start() {
		return this.keySpace.key(0);
	}

	/**
	 * Return the last key.
	 * @return the key of the last ordinal
	 */
	public long end() {
		return start() + this.keySpace.capacity() - 1;
	}

}
