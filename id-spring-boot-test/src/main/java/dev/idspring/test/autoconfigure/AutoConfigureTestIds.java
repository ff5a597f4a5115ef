package dev.idspring.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.idspring.test.TestIdClock;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Annotation for a test class whose id generators must issue the same ids in every run.
 * It works for complete applications and for test slices, and needs no database.
 * <ul>
 * <li>Empty in-memory stores replace all stores. Counters therefore begin with their
 * first value, and an instance that leases a node number gets node 0.</li>
 * <li>The clock is a {@link TestIdClock}, which a test can inject and set.</li>
 * <li>Values that are derived from the name of the generator and the time replace the
 * random parts of ids.</li>
 * </ul>
 * The order of the ids is the same in every run if only one thread draws them. The stores
 * exist as long as the application context. Tests that share a cached context therefore
 * continue the same sequence of ids. {@code @DirtiesContext} restarts the sequence.
 *
 * @since 0.1.0
 * @see TestIdsAutoConfiguration
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIds {

	/**
	 * The time of the clock when the context starts, for example
	 * {@code 2026-01-01T00:00:00Z}. It must not be before the epoch of any generator.
	 * @return an instant, by default {@link TestIdClock#START}
	 */
	String instant() default "";

}
