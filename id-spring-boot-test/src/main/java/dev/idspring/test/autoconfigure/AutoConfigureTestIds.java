package dev.idspring.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.idspring.test.TestIdClock;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.boot.test.context.PropertyMapping.Skip;

/**
 * Annotation for a test class that resets its id generators, so that they hand out the
 * same ids in every run. Works for whole applications and slices, without a database.
 * <ul>
 * <li>New stores in memory replace all stores. So key spaces begin with their first key,
 * and an instance that leases a node is node 0.</li>
 * <li>The clock is a {@link TestIdClock}, which can be injected and set.</li>
 * <li>Random tails are derived from the name of the generator and the time.</li>
 * </ul>
 * Ids have the same order if one thread draws them. The stores live as long as the
 * application context. Tests that share a cached context draw from one sequence, and
 * {@code @DirtiesContext} resets it.
 *
 * @since 0.1.0
 * @see TestIdsAutoConfiguration
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("spring.test.ids")
public @interface AutoConfigureTestIds {

	/**
	 * The time of the clock when the context starts, for instance
	 * {@code 2026-01-01T00:00:00Z}. Not before the epoch of any generator.
	 * @return an instant, by default {@link TestIdClock#START}
	 */
	@PropertyMapping(skip = Skip.ON_DEFAULT_VALUE)
	String instant() default "";

}
