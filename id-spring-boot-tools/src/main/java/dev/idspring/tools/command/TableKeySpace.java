package dev.idspring.tools.command;

import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.autoconfigure.GeneratorProperties;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * The key space of a generator for the keys of a table. The {@code adopt} command lets
 * the key space continue after the existing keys. The {@code leave} command lets an
 * identity column or a sequence of the database continue after the key space.
 *
 * @param definition the definition of the generator
 * @param keySpace the keys of the generator and their order
 * @param gapless {@code true} if the strategy is {@code gapless}, {@code false} if it is
 * {@code sequential}
 */
record TableKeySpace(GeneratorDefinition definition, KeySpace keySpace, boolean gapless) {

	/**
	 * Return the key space of a generator whose ids can continue from existing keys. This
	 * method does not query a database.
	 * @param environment the environment with the properties of the generators
	 * @param generatorName the value of the option, or {@code null} if it is not set
	 * @param option the full name of the option that names the generator
	 * @return the key space
	 * @throws IdSetupException if there is no such generator, if its strategy is not
	 * {@code sequential}, or if its settings are invalid
	 */
	static TableKeySpace forAdoption(Environment environment, @Nullable String generatorName, String option) {
		GeneratorDefinition definition = GeneratorDefinition.of(environment, generatorName, option);
		GeneratorProperties properties = definition.properties();
		String strategy = definition.property("strategy");
		if (properties.strategy() != Strategy.SEQUENTIAL) {
			throw new IdSetupException(
					strategy + " is " + properties.strategy().id() + ", whose ids cannot continue from existing keys.",
					"Set it to sequential. For public ids that reveal nothing, use a separate column"
							+ " (--ids.command=backfill), or the text form with a secret (ids.text.secret).",
					List.of(option.substring(0, option.lastIndexOf('.')), strategy), null);
		}
		return of(definition);
	}

	/**
	 * Return the key space of a generator whose keys a database sequence can continue.
	 * This method does not query a database.
	 * @param environment the environment with the properties of the generators
	 * @param generatorName the value of the option, or {@code null} if it is not set
	 * @param option the full name of the option that names the generator
	 * @return the key space
	 * @throws IdSetupException if there is no such generator, if its numbers have scopes,
	 * if its strategy is neither {@code sequential} nor {@code gapless}, or if its
	 * settings are invalid
	 */
	static TableKeySpace forLeaving(Environment environment, @Nullable String generatorName, String option) {
		GeneratorDefinition definition = GeneratorDefinition.of(environment, generatorName, option);
		GeneratorProperties properties = definition.properties();
		String strategy = definition.property("strategy");
		boolean gapless = properties.strategy() == Strategy.GAPLESS;
		if (definition.isScoped() || (!gapless && properties.strategy() != Strategy.SEQUENTIAL)) {
			throw new IdSetupException(
					definition.isScoped()
							? "The numbers of generator '" + definition.name()
									+ "' have scopes, but a database sequence has none."
							: strategy + " is " + properties.strategy().id()
									+ ", whose ids are not consecutive numbers, so no sequence can continue them.",
					"Only keys of a sequential generator, or of a gapless one without scopes, can be handed back to"
							+ " the database. Keep the generator for the existing table, or give the table a new key.",
					List.of(option.substring(0, option.lastIndexOf('.')), strategy), null);
		}
		return of(definition);
	}

	private static TableKeySpace of(GeneratorDefinition definition) {
		GeneratorProperties properties = definition.properties();
		boolean gapless = properties.strategy() == Strategy.GAPLESS;
		GeneratorProperties.Numbers numbers = gapless ? properties.gapless() : properties.sequential();
		try {
			KeySpaceSettings settings = gapless ? new GaplessSettings(numbers.start(), numbers.end())
					: new SequentialSettings(numbers.start(), numbers.end());
			return new TableKeySpace(definition,
					settings.resolve(null).withText(definition.text(), definition.keySpace()), gapless);
		}
		catch (InvalidSettingException ex) {
			throw definition.explain(ex);
		}
	}

	/**
	 * Return the name of the generator.
	 */
	String generator() {
		return this.definition.name();
	}

	/**
	 * Return the name of the key space.
	 */
	String name() {
		return this.definition.keySpace();
	}

	/**
	 * Return the prefix of the properties for the start and end of the key space.
	 */
	String propertyPrefix() {
		return this.definition.ownProperty(this.definition.properties().strategy().id());
	}

	/**
	 * Return the generators of this application that draw from the key space.
	 */
	List<String> generators() {
		return this.definition.sharingKeySpace();
	}

	/**
	 * Return the first key.
	 * @return the key of ordinal 0
	 */
	long start() {
		return this.keySpace.key(0);
	}

	/**
	 * Return the last key.
	 * @return the key of the last ordinal
	 */
	long end() {
		return start() + this.keySpace.capacity() - 1;
	}

}
