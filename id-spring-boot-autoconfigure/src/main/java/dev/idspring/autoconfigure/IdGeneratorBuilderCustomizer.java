package dev.idspring.autoconfigure;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.time.TimeIdGenerator;

/**
 * Customizes the builder of a generator before the generator is opened. Beans of this
 * type are applied after the properties, in the order of {@code @Order}. A customizer is
 * applied to every auto-configured generator whose builder is of type {@code B}. To
 * customize only some of these generators, check the {@link IdGeneratorBuilder#name()
 * name} or {@link IdGeneratorBuilder#strategy() strategy} of the builder. Each strategy
 * has one of these builders:
 * <ul>
 * <li>{@link BlockIdGenerator.Builder} for {@code coprime}, {@code sequential} and
 * {@code recycled}</li>
 * <li>{@link GaplessIdGenerator.Builder} for {@code gapless} without scopes</li>
 * <li>{@code ScopedGaplessIdGenerator.Builder} for {@code gapless} with scopes</li>
 * <li>{@link TimeIdGenerator.Builder} for {@code snowflake}, {@code decimal-uid} and
 * {@code composite}</li>
 * </ul>
 * Customizers of the base type, {@link IdGeneratorBuilder}, are applied to all
 * generators.
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
