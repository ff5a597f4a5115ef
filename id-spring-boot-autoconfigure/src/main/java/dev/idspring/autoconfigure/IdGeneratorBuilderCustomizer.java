package dev.idspring.autoconfigure;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.time.TimeIdGenerator;

/**
 * Changes a generator before it is opened. Beans of this type are applied after the
 * properties, in their order, to every auto-configured generator that is built by the
 * type of builder they name. Distinguish generators by {@link IdGeneratorBuilder#name()
 * name} or {@link IdGeneratorBuilder#strategy() strategy}.
 * <ul>
 * <li>{@link BlockIdGenerator.Builder} builds {@code coprime}, {@code sequential} and
 * {@code recycled}.</li>
 * <li>{@link GaplessIdGenerator.Builder} builds {@code gapless}.</li>
 * <li>{@link TimeIdGenerator.Builder} builds {@code snowflake}, {@code decimal-uid} and
 * {@code composite}.</li>
 * <li>{@link IdGeneratorBuilder} applies to all of them.</li>
 * </ul>
 *
 * @param <B> the type of the builder
 * @since 0.1.0
 */
@FunctionalInterface
public interface IdGeneratorBuilderCustomizer<B extends IdGeneratorBuilder<?>> {

	/**
	 * Change a generator.
	 * @param builder builds the generator
	 */
	void customize(B builder);

}
