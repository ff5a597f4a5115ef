package dev.idspring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a property of an entity of Spring Data JDBC or Spring Data R2DBC that gets an id
 * when the entity is saved: its {@code @Id}, or any other, such as an id that is shown in
 * public. In an aggregate of Spring Data JDBC the children's are assigned as well.
 * <p>
 * A property of type {@code long} or {@code Long} gets the numeric form of an id, one of
 * type {@code String} the text form. A value that is there already is kept: anything but
 * {@code null}, and 0 in a {@code long}. The number 0 is never assigned, because Spring
 * Data takes it for no id at all; the generator's key 0, if it has one, is skipped.
 * <p>
 * A property that cannot be set, as those of records, is changed by its wither
 * ({@code withId}), which is trusted to keep everything else, or else in a copy made with
 * the constructor that Spring Data uses. What is not among the parameters of that
 * constructor, nor derived from them by it, is carried over, or the copy is refused: see
 * {@link dev.idspring.IdSetupException}.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface GeneratedId {

	/**
	 * The name of the generator. If it is empty, the generator that is named like the
	 * entity's table is used, or {@code default} where there is none.
	 * @return the name of the generator
	 */
	String value() default "";

}
