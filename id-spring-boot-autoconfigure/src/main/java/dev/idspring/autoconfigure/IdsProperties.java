package dev.idspring.autoconfigure;

import java.util.Map;

import dev.idspring.autoconfigure.GeneratorProperties.Block;
import dev.idspring.autoconfigure.GeneratorProperties.Coprime;
import dev.idspring.autoconfigure.GeneratorProperties.Health;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the starter: where reservations are kept, and the generators.
 *
 * @param enabled whether generators are created at all
 * @param store what remembers how far key spaces are reserved
 * @param skipAhead moves a key space ahead at start, after its store went backwards.
 * Meant for the command line, once
 * @param strategy how ids are made
 * @param keySpace name of the key space in the store. Applications that share a schema
 * share a key space of the same name. Not inherited; defaults to the name of the
 * generator
 * @param coprime settings of the coprime strategy
 * @param block how ids are reserved ahead of use
 * @param health when the end of a key space is near
 * @param generators generators by name. What is not set for one of them is taken from the
 * settings of the default generator
 * @since 0.1.0
 */
@ConfigurationProperties("ids")
public record IdsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("jdbc") StoreType store,
		@DefaultValue SkipAhead skipAhead, @DefaultValue("coprime") Strategy strategy, @Nullable String keySpace,
		@DefaultValue Coprime coprime, @DefaultValue Block block, @DefaultValue Health health,
		@DefaultValue Map<String, GeneratorProperties> generators) {

	/**
	 * Moves a key space ahead at start.
	 *
	 * @param keySpace name of the key space
	 * @param by number of keys to skip
	 * @param confirm whether to do it. Otherwise the application says what it would do
	 * and ends
	 */
	public record SkipAhead(@Nullable String keySpace, @Nullable Long by, @DefaultValue("false") boolean confirm) {

	}

}
