package dev.idspring.autoconfigure;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.time.TimeIdGenerator;

/**
 * Customizes the builder of a generator before the generator is opened. Beans of this
 * type are applied in order, after the properties. A customizer is applied to every
 * auto-configured generator whose builder is of type {@code B}. The customizer can
 * distinguish generators by their {@link IdGeneratorBuilder#name() name} or
 * {@link IdGeneratorBuilder#strategy() strategy}.
 * <ul>
 * <li>{@link BlockIdGenerator.Builder} builds {@code coprime}, {@code sequential} and
 * {@code recycled}.</li>
 * <li>{@link GaplessIdGenerator.Builder} builds {@code gapless} without scopes.</li>
 * <li>{@code ScopedGaplessIdGenerator.Builder} builds {@code gapless} with scopes.</li>
 * <li>{@link TimeIdGenerator.Builder} builds {@code snowflake}, {@code decimal-uid} and
 * {@code composite}.</li>
 * <li>{@link IdGeneratorBuilder} is the base type: customizers of this type are applied
 * to all generators.</li>
 * </ul>
 *
 * @param <B> the type of the builder
 * @since 0.1.0
 */
@FunctionalInterface
public interface IdGeneratorBuilderCustomizer<B extends IdGeneratorBuilder<?>> {

	/**
	 * Customize the builder of a generator.
	 * @param builder the builder to customize
	 */
	void customize(B builder);

}
