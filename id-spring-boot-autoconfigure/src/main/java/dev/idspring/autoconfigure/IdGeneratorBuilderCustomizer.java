package dev.idspring.autoconfigure;

import dev.idspring.block.BlockIdGenerator;

/**
 * Changes a generator before it is opened. Beans of this type are applied to every
 * auto-configured generator, in their order, after the properties; tell generators apart
 * by {@link BlockIdGenerator.Builder#name()}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface IdGeneratorBuilderCustomizer {

	/**
	 * Change a generator.
	 * @param builder builds the generator
	 */
	void customize(BlockIdGenerator.Builder builder);

}
