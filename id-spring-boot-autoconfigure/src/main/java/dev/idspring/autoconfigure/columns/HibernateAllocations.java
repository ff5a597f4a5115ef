package dev.idspring.autoconfigure.columns;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.autoconfigure.columns.ColumnWatch.Allocations;
import dev.idspring.doctor.Doctor.Allocation;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.enhanced.SequenceStructure;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.springframework.beans.factory.ObjectProvider;

/**
 * What Hibernate assumes of the sequences of its entities.
 *
 * @param factories know the entities, once the application runs
 * @since 0.1.0
 */
public record HibernateAllocations(ObjectProvider<EntityManagerFactory> factories) implements Allocations {

	@Override
	public List<Allocation> read() {
		List<Allocation> allocations = new ArrayList<>();
		this.factories.forEach((factory) -> factory.unwrap(SessionFactoryImplementor.class)
			.getMappingMetamodel()
			.forEachEntityDescriptor((entity) -> {
				if (entity.getGenerator() instanceof SequenceStyleGenerator generator
						&& generator.getDatabaseStructure() instanceof SequenceStructure sequence) {
					allocations.add(new Allocation(entity.getIdentifierTableName(),
							sequence.getPhysicalName().getObjectName().getText(), sequence.getIncrementSize()));
				}
			}));
		return allocations;
	}

}
