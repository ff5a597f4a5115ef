package dev.idspring.autoconfigure.web;

import java.lang.annotation.Annotation;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.repository.support.DefaultRepositoryInvokerFactory;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Converts between entities and the text form of their ids. This converter applies to
 * entities that have a blocking repository and whose id is annotated with
 * {@code @GeneratedId} or {@link IdAsString @IdAsString}. Spring Data's own converter
 * handles all other entities. It would read the text form of an annotated id as a number.
 *
 * @since 0.1.0
 */
public final class IdEntityConverter extends IdTextConverter {

	private final SingletonSupplier<Repositories> repositories;

	/**
	 * Create a converter.
	 * @param repositories supplies the repositories of the application; called when they
	 * are first needed
	 * @param formats finds the text form of ids
	 */
	public IdEntityConverter(Supplier<Repositories> repositories, IdFormats formats) {
		super(formats);
		this.repositories = SingletonSupplier.of(repositories);
	}

	@Override
	Object parse(IdFormat format, String text) {
		return format.parseKey(text);
	}

	@Override
	String format(IdFormat format, Object id) {
		return format.formatKey(id);
	}

	/**
	 * Find an entity by its id. The repository may belong to a supertype of the given
	 * type. If the repository finds an entity that is not of the given type, this method
	 * ignores the entity.
	 * @param id the id; a {@code Long} if the entity declares an {@code int} or an
	 * {@code Integer}
	 * @param type the type of the entity
	 * @return the entity, or {@code null} if there is none
	 */
	@Override
	public @Nullable Object read(Object id, Class<?> type) {
		return new DefaultRepositoryInvokerFactory(this.repositories.obtain()).getInvokerFor(type)
			.invokeFindById(id)
			.filter(type::isInstance)
			.orElse(null);
	}

	/**
	 * Return the id of an entity.
	 * @param entity the entity
	 * @param type the type of the entity
	 * @return the id, or {@code null} if the entity does not have one yet; an
	 * {@code Integer} is converted to a {@code Long}
	 */
	@Override
	public @Nullable Object idOf(Object entity, Class<?> type) {
		Object id = this.repositories.obtain().getEntityInformationFor(type).getId(entity);
		return (id instanceof Integer number) ? (Object) number.longValue() : id;
	}

	/**
	 * Return the text form of the ids of an entity type.
	 * @param type the type of the entities
	 * @return the text form, or {@code null} if this converter does not apply to the type
	 */
	@Override
	public @Nullable IdFormat find(TypeDescriptor type) {
		Class<?> entity = ProxyUtils.getUserClass(type.getType());
		PersistentProperty<?> id = hasBlockingRepository(entity)
				? this.repositories.obtain().getPersistentEntity(entity).getIdProperty() : null;
		if (id == null) {
			return null;
		}
		String generator = IdFormats.generatorName(Stream.of(IdAsString.class, GeneratedId.class)
			.<Annotation>map(id::findAnnotation)
			.filter(Objects::nonNull)
			.toList());
		try {
			return (generator != null) ? this.formats.of(generator, isInt(id.getType()) ? Long.class : id.getType(),
					"@Id " + entity.getTypeName() + "." + id.getName()) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Return whether an id is an {@code int}. This converter treats such an id as a
	 * {@code long}, and the repository converts it back to an {@code int}.
	 */
	private static boolean isInt(Class<?> type) {
		return type == int.class || type == Integer.class;
	}

	private boolean hasBlockingRepository(Class<?> entity) {
		return !BeanUtils.isSimpleValueType(entity) && this.repositories.obtain()
			.getRepositoryInformationFor(entity)
			.filter((information) -> !information.isReactiveRepository())
			.isPresent();
	}

}
